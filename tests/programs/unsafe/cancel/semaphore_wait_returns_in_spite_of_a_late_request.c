// what: a post and then a cancellation while a thread waits: the wait may return all the same
// expect: assert=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// why: POSIX 2.9.5: the event came before the request was acted on, so it is unspecified which counts
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static void *child(void *unused) {
    sem_wait(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, child, &semaphore);
    sem_post(&semaphore);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED); //~ ASSERT
    return 0;
}
