// what: both threads read before either writes
// expect: assert=violated
// why: a switch between the read and the write of one; preemptions: 1
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
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); //~ ASSERT
    return 0;
}
