// what: each thread fails if it comes second
// expect: assert=violated
// why: either runs whole before the other; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *left(void *unused) {
    assert(x == 0); //~ ASSERT
    x = 1;
    return NULL;
}
static void *right(void *unused) {
    assert(x == 0); //~ ASSERT
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
