// what: two threads wait for each other while a third one is busy for ever
// expect: deadlock=violated
// engines: explicit
// why: a set of threads that wait for each other's mutexes is a deadlock, whoever else can still run
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int heartbeat;
static void *busy(void *unused) {
    for (;;) heartbeat = 1 - heartbeat;
    return NULL;
}
static void *forth(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ DEADLOCK
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, busy, NULL);
    pthread_create(&two, NULL, forth, NULL);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(one, NULL);
    return 0;
}
