// what: two threads take a read lock and want the write lock while they hold it
// expect: deadlock=violated locks=violated
// why: a thread that wants the write lock while it holds the read lock waits for itself
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static void update(void) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_wrlock(&lock); //~ DEADLOCK LOCKS
    value = seen + 1;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
}
static void *child(void *unused) {
    update(); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    update(); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
