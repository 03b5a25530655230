// what: the last write is not always the same
// expect: assert=violated
// why: the second thread runs first when main waits; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *one(void *unused) {
    x = 1;
    return NULL;
}
static void *two(void *unused) {
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); //~ ASSERT
    return 0;
}
