// what: the serial thread of a barrier is any of the round
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static void *child(void *unused) {
    assert(pthread_barrier_wait(&barrier) == 0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
