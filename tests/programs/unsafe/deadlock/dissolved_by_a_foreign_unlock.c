// what: two threads deadlock on two mutexes; a third unlocks one of them, which it does not hold
// expect: deadlock=violated locks=violated
// why: rule 5: what a thread outside could do by misusing a lock does not count
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *left(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ DEADLOCK
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a); //~ LOCKS
    return NULL;
}
static void *right(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ DEADLOCK
    pthread_mutex_unlock(&a); //~ LOCKS
    pthread_mutex_unlock(&b); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_mutex_unlock(&b); //~ LOCKS
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
