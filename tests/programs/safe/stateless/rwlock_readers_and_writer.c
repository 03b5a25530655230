// what: two readers and a writer of two variables
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *read(void *unused) {
    pthread_rwlock_rdlock(&rwlock);
    assert(x == y);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}
static void *write(void *unused) {
    pthread_rwlock_wrlock(&rwlock);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, read, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_create(&c, NULL, write, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
