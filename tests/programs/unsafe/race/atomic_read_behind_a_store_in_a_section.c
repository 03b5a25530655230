// what: an atomic section takes its store back, depending on what it reads behind it
// expect: race=violated
// why: the flag stays only if the section is ordered after the first write by its read, but the edge to the reader leaves
// why: the section before that
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static int data;
static atomic_int seen;

static void *first(void *unused) {
    data = 1; //~ RACE
    seen = 1;
    return unused;
}

static void *reader(void *unused) {
    if (flag) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread, writer;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&writer, NULL, first, NULL);
    __VERIFIER_atomic_begin();
    flag = 1;
    if (!seen) flag = 0;
    __VERIFIER_atomic_end();
    pthread_join(writer, NULL);
    pthread_join(thread, NULL);
    return 0;
}
