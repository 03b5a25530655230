// what: one of three threads writes what it read before the others
// expect: assert=violated
// why: one thread is left between reading and writing, the others run whole; preemptions: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    int value = x;
    x = value + 1;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_create(&c, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(x > 1); //~ ASSERT
    return 0;
}
