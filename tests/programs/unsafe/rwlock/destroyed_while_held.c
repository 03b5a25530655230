// what: a read-write lock is destroyed while a reader holds it
// expect: locks=violated
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock); //~ LOCKS
    pthread_rwlock_unlock(&lock);
    return 0;
}
