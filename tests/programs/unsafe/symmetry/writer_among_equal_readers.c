// what: of equal threads under a read lock the one that comes first writes
// expect: race=violated
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int next;
static int data;

static void *worker(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = data; //~ RACE
    if (next++ == 0) data = seen + 1; //~ RACE
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
