// what: the sum is read in the middle of a transfer
// expect: assert=violated
// why: a switch between the two sections of the transfer; preemptions: 1
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int from = 5, to;
static void *transfer(void *unused) {
    pthread_rwlock_wrlock(&rwlock);
    from--;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    to++;
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}
static void *audit(void *unused) {
    pthread_rwlock_rdlock(&rwlock);
    assert(from + to == 5); //~ ASSERT
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, audit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
