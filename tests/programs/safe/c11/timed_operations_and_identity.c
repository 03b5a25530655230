// what: timed mtx_t and cnd_t, thrd_current, thrd_sleep, tss_delete
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <threads.h>
#include <time.h>

static thrd_t from_child;
static int child(void *unused) {
    from_child = thrd_current();
    return 0;
}

int main(void) {
    mtx_t mutex;
    cnd_t cond;
    tss_t key;
    thrd_t thread;
    struct timespec until = {1, 0};
    mtx_init(&mutex, mtx_timed);
    cnd_init(&cond);
    assert(mtx_timedlock(&mutex, &until) == thrd_success);
    assert(mtx_timedlock(&mutex, &until) == thrd_timedout);
    int result = cnd_timedwait(&cond, &mutex, &until);
    assert(result == thrd_timedout || result == thrd_success);
    mtx_unlock(&mutex);
    thrd_create(&thread, child, NULL);
    thrd_join(thread, NULL);
    assert(thrd_equal(from_child, thread) && !thrd_equal(thrd_current(), thread));
    assert(thrd_sleep(&until, NULL) == 0);
    thrd_yield();
    tss_create(&key, NULL);
    tss_delete(key);
    return 0;
}
