// what: what is written before the barrier is read after it
// expect: assert=ok race=ok deadlock=ok
// why: either arrives last, and picks either as the serial thread
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int x, y;
static void *left(void *unused) {
    x = 1;
    pthread_barrier_wait(&barrier);
    assert(y == 1);
    return NULL;
}
static void *right(void *unused) {
    y = 1;
    pthread_barrier_wait(&barrier);
    assert(x == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
