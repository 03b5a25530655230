// what: a thread blocked in sem_wait or join ends when it is cancelled
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static void *child(void *unused) {
    sem_wait(&never);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    return 0;
}
