// what: a cancelled thread goes on until its next cancellation point, then ends with PTHREAD_CANCELED
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t requested;
static int before, after;
static void *child(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_wait(&requested);
    before = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    after = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&requested, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    sem_post(&requested);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && before == 1 && after == 0);
    return 0;
}
