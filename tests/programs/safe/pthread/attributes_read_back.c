// what: what is set in thread attributes reads back, and wrong values are refused
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t a;
    size_t size;
    int value;
    struct sched_param parameters = {.sched_priority = 1};
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_setstacksize(&a, 65536) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == 65536);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setguardsize(&a, 8192) == 0 && pthread_attr_getguardsize(&a, &size) == 0 && size == 8192);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0 && pthread_attr_getscope(&a, &value) == 0);
    assert(value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&a, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedpolicy(&a, SCHED_FIFO) == 0 && pthread_attr_getschedpolicy(&a, &value) == 0);
    assert(value == SCHED_FIFO);
    assert(pthread_attr_setschedparam(&a, &parameters) == 0 && pthread_attr_getschedparam(&a, &parameters) == 0);
    assert(pthread_attr_setdetachstate(&a, 77) == EINVAL);
    assert(pthread_attr_destroy(&a) == 0);
    return 0;
}
