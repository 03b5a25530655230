// what: two threads write while they hold the lock only for reading
// expect: assert=violated race=violated
// why: readers do not exclude each other
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;
static void *thread(void *unused) {
    pthread_rwlock_rdlock(&lock);
    counter++; //~ RACE
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
