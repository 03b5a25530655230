// what: mtx_timedlock of mutexes that support it
// expect: locks=ok
#include <threads.h>
#include <time.h>

int main(void) {
    struct timespec until = {0, 0};
    mtx_t mutex, recursive;
    mtx_init(&mutex, mtx_timed);
    mtx_init(&recursive, mtx_timed | mtx_recursive);
    if (mtx_timedlock(&mutex, &until) == thrd_success) mtx_unlock(&mutex);
    if (mtx_timedlock(&recursive, &until) == thrd_success) mtx_unlock(&recursive);
    mtx_destroy(&mutex);
    mtx_destroy(&recursive);
    return 0;
}
