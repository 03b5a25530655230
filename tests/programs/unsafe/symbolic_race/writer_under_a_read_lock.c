// what: a thread caches a value under the read lock: two of them write at the same time
// expect: race=violated
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value = 4, cached;
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    if (!cached) cached = value; //~ RACE
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    reader(NULL);
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
