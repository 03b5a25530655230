// what: the orders differ, but a third mutex lets only one thread in at a time
// expect: assert=ok
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
    pthread_mutex_unlock(&gate);
}
static void *child(void *unused) {
    both(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    return 0;
}
