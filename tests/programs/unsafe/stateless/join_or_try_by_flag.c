// what: a flag decides whether main waits for the first thread or only tries, at the same place
// expect: assert=violated deadlock=ok
// why: with the flag set, the try may come before the thread's end, and then the value is not there yet; preemptions: 1
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

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
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, hurry, NULL);
    if (atomic_load(&flag)) pthread_tryjoin_np(worker, NULL);
    else pthread_join(worker, NULL);
    assert(atomic_load(&value) == 1);
    return 0;
}
