// what: two threads read, release, and then take the lock for writing
// expect: deadlock=ok race=ok
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static void update(void) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    value = seen + 1;
    pthread_rwlock_unlock(&lock);
}
static void *child(void *unused) {
    update();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    update();
    pthread_join(thread, NULL);
    return 0;
}
