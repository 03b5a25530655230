// what: the level of concurrency, priorities of attributes and ceilings of mutexes are what was set, or refused
// expect: assert=ok
// output: 0 0 3 22\n22 0 0 22 0\n0 1 22 5\n
// exit: 0
#include <pthread.h>
#include <stdio.h>

int main(void) {
    int before = pthread_getconcurrency(), set = pthread_setconcurrency(3);
    printf("%d %d %d %d\n", before, set, pthread_getconcurrency(), pthread_setconcurrency(-1));

    pthread_attr_t thread;
    struct sched_param one = {1}, none = {0};
    pthread_attr_init(&thread);
    int refused = pthread_attr_setschedparam(&thread, &one), accepted = pthread_attr_setschedparam(&thread, &none);
    printf("%d %d ", refused, accepted);
    accepted = pthread_attr_setschedpolicy(&thread, SCHED_FIFO);
    refused = pthread_attr_setschedparam(&thread, &none);
    printf("%d %d %d\n", accepted, refused, pthread_attr_setschedparam(&thread, &one));

    pthread_mutexattr_t attributes;
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, high;
    int ceiling = 0, other = 0;
    pthread_mutexattr_init(&attributes);
    int result = pthread_mutexattr_getprioceiling(&attributes, &ceiling);
    printf("%d %d %d ", result, ceiling, pthread_mutex_getprioceiling(&plain, &other));
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attributes, 5);
    pthread_mutex_init(&high, &attributes);
    pthread_mutex_getprioceiling(&high, &other);
    printf("%d\n", other);
    return 0;
}
