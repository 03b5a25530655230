// what: two threads in lock step by a barrier, for ever: one writes, then the other reads
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: between two barriers only one of them touches the number
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int number;
static void *reader(void *unused) {
    for (int expected = 1;; expected = 1 - expected) {
        pthread_barrier_wait(&barrier);
        assert(number == expected);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, reader, NULL);
    for (;;) {
        number = 1 - number;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return 0;
}
