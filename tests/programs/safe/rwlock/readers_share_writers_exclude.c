// what: readers may be inside together, a writer only alone
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}
static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t w, r, s;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&s, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
