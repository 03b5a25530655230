// what: whether a timed join has a time at all depends on what another thread wrote
// expect: assert=violated deadlock=ok
// why: without one it waits; with one it may give up before the thread's end; preemptions: 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag, value;

static void *work(void *unused) {
    atomic_store(&value, 1);
    return unused;
}

static void *hurry(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t worker, other;
    struct timespec until = {0, 0};
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, hurry, NULL);
    pthread_timedjoin_np(worker, NULL, atomic_load(&flag) ? &until : NULL);
    assert(atomic_load(&value) == 1);
    return 0;
}
