// what: two threads take two mutexes in opposite order, for ever
// expect: deadlock=violated
// engines: explicit
// why: each has one and waits for the other's
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *forth(void *unused) {
    for (;;) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b); //~ DEADLOCK
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    return NULL;
}
static void *back(void *unused) {
    for (;;) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a); //~ DEADLOCK
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, forth, NULL);
    pthread_create(&two, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
