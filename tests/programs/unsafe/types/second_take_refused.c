// what: the second lock is refused and its unlock gives the first back
// expect: race=violated locks=violated
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *run(void *p) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); //~ LOCKS
    x++; //~ RACE
    pthread_rwlock_unlock(&l); //~ LOCKS
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
