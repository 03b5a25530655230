// what: a read-write lock is unlocked that nobody holds
// expect: locks=violated
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_unlock(&lock); //~ LOCKS
    pthread_rwlock_destroy(&lock);
    return 0;
}
