// what: two mutexes in opposite order
// expect: deadlock=violated
// why: a switch when one thread has its first mutex; preemptions: 1
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static void *left(void *unused) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two); //~ DEADLOCK
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return NULL;
}
static void *right(void *unused) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one); //~ DEADLOCK
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
