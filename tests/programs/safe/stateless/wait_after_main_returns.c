// what: a thread waits for ever when main has returned
// expect: assert=ok race=ok deadlock=ok
// why: nothing is owed after the end of the process; the class is blocked
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static void *wait(void *unused) {
    sem_wait(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, wait, NULL);
    return 0;
}
