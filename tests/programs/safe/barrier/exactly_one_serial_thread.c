// what: of three threads exactly one is told that it is the serial one
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static void *child(void *unused) {
    return (void *)(long)(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
}

int main(void) {
    pthread_t a, b;
    void *x, *y;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    long mine = (long)child(NULL);
    pthread_join(a, &x);
    pthread_join(b, &y);
    assert(mine + (long)x + (long)y == 1);
    return 0;
}
