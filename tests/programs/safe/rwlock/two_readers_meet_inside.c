// what: two readers wait for each other inside the lock: right, because readers share it
// expect: assert=ok
#include <pthread.h>

static pthread_rwlock_t lock;
static pthread_barrier_t meeting;
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&meeting);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t r, s;
    pthread_rwlock_init(&lock, NULL);
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&s, NULL, reader, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}
