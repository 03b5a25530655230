// what: a program takes the serial thread to be main; it may be any
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static void *child(void *unused) {
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD); //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
