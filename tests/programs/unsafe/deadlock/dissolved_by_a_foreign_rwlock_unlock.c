// what: two threads deadlock on two read-write locks; a third unlocks one of them, which it does not hold
// expect: deadlock=violated locks=violated
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static void *left(void *unused) {
    pthread_rwlock_wrlock(&a);
    pthread_rwlock_rdlock(&b); //~ DEADLOCK
    pthread_rwlock_unlock(&b); //~ LOCKS
    pthread_rwlock_unlock(&a); //~ LOCKS
    return NULL;
}
static void *right(void *unused) {
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_rdlock(&a); //~ DEADLOCK
    pthread_rwlock_unlock(&a); //~ LOCKS
    pthread_rwlock_unlock(&b); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_rwlock_unlock(&b); //~ LOCKS
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
