// what: a thread with asynchronous cancellation may end at any instruction
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <pthread.h>
#include <semaphore.h>

static sem_t started, never;
static void *child(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    sem_post(&started);
    sem_wait(&never);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&started, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    sem_wait(&started);
    pthread_cancel(thread); //~ UNSUPPORTED
    pthread_join(thread, NULL);
    return 0;
}
