// what: a counter is used although the attempt to take the write lock failed
// expect: race=violated
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = counter; //~ RACE
    (void)seen;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    int failed = pthread_rwlock_trywrlock(&lock);
    counter++; //~ RACE
    if (!failed) pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
