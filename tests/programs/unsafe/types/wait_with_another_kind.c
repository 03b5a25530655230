// what: a condition wait takes a read-write lock as if it were a mutex, beside a reader
// expect: race=violated
// options: --property race
#include <pthread.h>
static pthread_rwlock_t l;
static pthread_cond_t c;
static int x;
static void *run(void *p) {
    pthread_rwlock_wrlock(&l);
    pthread_cond_wait(&c, (pthread_mutex_t *)&l);
    x++; //~ RACE
    pthread_rwlock_unlock(&l);
    return 0;
}
static void *read(void *p) {
    pthread_rwlock_rdlock(&l);
    int now = x; //~ RACE
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, read, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
