// what: both threads take the two mutexes in the same order
// expect: assert=ok
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, child, NULL);
    pthread_create(&u, NULL, child, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
