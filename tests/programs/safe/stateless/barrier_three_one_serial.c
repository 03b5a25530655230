// what: exactly one of three threads is the serial one
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;
static void *arrive(void *unused) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&a, NULL, arrive, NULL);
    pthread_create(&b, NULL, arrive, NULL);
    pthread_create(&c, NULL, arrive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(serial == 1);
    return 0;
}
