// what: a thread is detached while another waits for its end: the wait is over
// expect: assert=violated locks=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// why: the third thread detaches the worker before it has run, and main goes on; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int done;

static void *work(void *unused) {
    done = 1;
    return NULL;
}
static void *detach(void *unused) {
    pthread_detach(worker);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, detach, NULL);
    pthread_join(worker, NULL);
    assert(done == 1); //~ ASSERT
    return 0;
}
