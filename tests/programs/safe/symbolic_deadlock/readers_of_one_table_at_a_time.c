// what: the read lock of one table is given back before the write lock of the other one is taken
// expect: deadlock=ok
// proved: order
#include <pthread.h>
#include <raddle.h>

static pthread_rwlock_t tables[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static void *copy(void *unused) {
    unsigned from = raddle_any_bool();
    pthread_rwlock_rdlock(&tables[from]);
    pthread_rwlock_unlock(&tables[from]);
    pthread_rwlock_wrlock(&tables[1 - from]);
    pthread_rwlock_unlock(&tables[1 - from]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, copy, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
