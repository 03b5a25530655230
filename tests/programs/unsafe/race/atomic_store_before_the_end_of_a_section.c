// what: an atomic store in an atomic section, and a plain write behind it
// expect: race=violated
// why: the edge of the store leaves from the middle of the section, so the reader is not ordered after the rest of it, but
// why: while the section lasts no other thread can read the flag
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static int data;

static void *reader(void *unused) {
    if (flag) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    __VERIFIER_atomic_begin();
    flag = 1;
    data = 1; //~ RACE
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
