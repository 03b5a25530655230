// what: what is set in mutex attributes reads back, and wrong values are refused
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t a;
    int value;
    assert(pthread_mutexattr_init(&a) == 0);
    assert(pthread_mutexattr_settype(&a, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_destroy(&a) == 0);
    return 0;
}
