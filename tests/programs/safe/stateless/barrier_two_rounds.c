// what: two threads meet twice
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int x;
static void *left(void *unused) {
    x = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    assert(x == 2);
    return NULL;
}
static void *right(void *unused) {
    pthread_barrier_wait(&barrier);
    x++;
    pthread_barrier_wait(&barrier);
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
