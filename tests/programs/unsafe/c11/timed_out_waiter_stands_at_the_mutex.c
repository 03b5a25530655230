// what: cnd_timedwait times out, and the flag is set before the mutex is had again
// expect: assert=violated
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t cond;
static int waiting, flag;
static int waker(void *unused) {
    mtx_lock(&mutex);
    if (waiting) {
        flag = 1;
        cnd_signal(&cond);
    }
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec until = {0, 0};
    mtx_init(&mutex, mtx_plain);
    cnd_init(&cond);
    thrd_create(&thread, waker, NULL);
    mtx_lock(&mutex);
    waiting = 1;
    if (cnd_timedwait(&cond, &mutex, &until) == thrd_timedout) assert(!flag); //~ ASSERT
    mtx_unlock(&mutex);
    thrd_join(thread, NULL);
    return 0;
}
