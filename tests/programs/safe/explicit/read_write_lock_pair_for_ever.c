// what: two readers always see an equal pair that a writer changes under a read-write lock, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: a writer excludes everybody; numbers go round modulo two
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one, two;
static void *reader(void *unused) {
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        int seen = one;
        assert(seen == two);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        one = 1 - one;
        two = 1 - two;
        pthread_rwlock_unlock(&lock);
    }
    return 0;
}
