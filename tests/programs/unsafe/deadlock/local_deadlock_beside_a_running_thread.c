// what: two threads are stuck for ever while a third could go on for ever
// expect: deadlock=violated
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ DEADLOCK
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}
static void *second(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    for (int i = 0; i < 20; i++) sched_yield();
    return 0;
}
