// what: mtx_timedlock of a mutex that was initialised without mtx_timed
// expect: locks=violated
// why: C11 7.26.4.4: the mutex shall support timeout
#include <threads.h>
#include <time.h>

int main(void) {
    mtx_t mutex;
    struct timespec until = {0, 0};
    mtx_init(&mutex, mtx_plain);
    if (mtx_timedlock(&mutex, &until) == thrd_success) mtx_unlock(&mutex); //~ LOCKS
    mtx_destroy(&mutex);
    return 0;
}
