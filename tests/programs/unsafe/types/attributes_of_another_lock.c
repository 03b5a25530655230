// what: attributes of a read-write lock that mean error-checking to a mutex
// expect: race=violated
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    union { pthread_mutexattr_t of_mutex; pthread_rwlockattr_t of_rwlock; } how;
    pthread_rwlockattr_init(&how.of_rwlock);
    pthread_rwlockattr_setkind_np(&how.of_rwlock, 2);
    pthread_mutex_init(&m, &how.of_mutex);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
