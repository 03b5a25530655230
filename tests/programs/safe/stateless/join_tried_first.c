// what: main tries to join a thread, and waits for it only if it is still running
// expect: assert=ok deadlock=ok
// why: the try comes before the thread's end or behind it; the join only behind it
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int done;

static void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    int error = pthread_tryjoin_np(worker, NULL);
    assert(error == 0 || error == EBUSY);
    if (error) pthread_join(worker, NULL);
    assert(done == 1);
    return 0;
}
