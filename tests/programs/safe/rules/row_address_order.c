// what: locks taken in the order of their addresses never deadlock
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int both;
static void lock_two(pthread_mutex_t *x, pthread_mutex_t *y) {
    assert(x != y && ((x < y) != (y < x)));
    pthread_mutex_lock(x < y ? x : y);
    pthread_mutex_lock(x < y ? y : x);
    both++;
    pthread_mutex_unlock(x);
    pthread_mutex_unlock(y);
}
static void *child(void *unused) {
    lock_two(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    lock_two(&a, &b);
    pthread_join(thread, NULL);
    assert(both == 2);
    return 0;
}
