// what: the holder of a read-write lock is refused, and gives it back
// expect: race=violated locks=violated
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *run(void *p) {
    pthread_rwlock_wrlock(&l);
    if (pthread_rwlock_rdlock(&l) == EDEADLK) { //~ LOCKS
        pthread_rwlock_unlock(&l);
        x++; //~ RACE
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
