// what: a result stored into attributes makes them error-checking
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
    pthread_mutexattr_t how, high;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_init(&high);
    pthread_mutexattr_setprotocol(&high, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&high, 2);
    pthread_mutexattr_getprioceiling(&high, (int *)&how);
    pthread_mutex_init(&m, &how);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
