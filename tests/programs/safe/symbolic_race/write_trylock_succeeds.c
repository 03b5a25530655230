// what: a counter is used only where the write lock was obtained
// expect: race=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = counter;
    (void)seen;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    int failed = pthread_rwlock_trywrlock(&lock);
    if (!failed) counter++;
    if (!failed) pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
