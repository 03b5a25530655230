// what: what is done before the barrier is seen by everyone after it
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int written[2];
static void *child(void *argument) {
    int me = (int)(long)argument;
    written[me] = me + 1;
    pthread_barrier_wait(&barrier);
    assert(written[0] == 1 && written[1] == 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, (void *)1);
    child((void *)0);
    pthread_join(thread, NULL);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
