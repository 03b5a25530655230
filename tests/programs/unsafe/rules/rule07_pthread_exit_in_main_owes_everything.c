// what: after pthread_exit in main the others still must end: a blocked one is a deadlock
// expect: deadlock=violated
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static void *child(void *unused) {
    sem_wait(&never); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_exit(NULL);
}
