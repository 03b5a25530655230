// what: at an index that is not known, the mutex is used as a read-write lock
// expect: race=violated
// options: --property race
#include <pthread.h>
static union { pthread_mutex_t mutex; pthread_rwlock_t rwlock; } u[2];
static int x, first;
static void *run(void *p) {
    pthread_mutex_lock(&u[0].mutex);
    x++; //~ RACE
    pthread_mutex_unlock(&u[0].mutex);
    return 0;
}
static void *read(void *p) {
    int i = first;
    pthread_rwlock_rdlock(&u[i].rwlock);
    pthread_rwlock_unlock(&u[i].rwlock);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&c, 0, read, 0);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
