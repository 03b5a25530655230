// what: a writer gives up when it is read
// expect: assert=ok race=ok deadlock=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *read(void *unused) {
    pthread_rwlock_rdlock(&rwlock);
    assert(x == 0 || x == 1);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}
static void *write(void *unused) {
    if (pthread_rwlock_trywrlock(&rwlock) == 0) {
        x = 1;
        pthread_rwlock_unlock(&rwlock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, read, NULL);
    pthread_create(&b, NULL, write, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
