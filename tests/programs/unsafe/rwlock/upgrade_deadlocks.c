// what: a reader asks for the write lock while it still holds the read lock
// expect: deadlock=violated locks=violated
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); //~ DEADLOCK //~ LOCKS
    pthread_rwlock_unlock(&lock);
    return 0;
}
