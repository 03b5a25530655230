// what: an atomic store is the last operation of an atomic section, so its edge covers the section
// expect: race=ok
// proved: explicit
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static int data;

static void *reader(void *unused) {
    if (flag) data = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    __VERIFIER_atomic_begin();
    data = 1;
    flag = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
