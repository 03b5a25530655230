// what: two threads join each other, and main cancels one of them
// expect: deadlock=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
// why: rule 5: a waiter at a cancellation point is in no deadlock while a thread outside may cancel it
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, second;
static sem_t ready;
static void *left(void *unused) {
    sem_wait(&ready);
    pthread_join(second, NULL);
    return NULL;
}
static void *right(void *unused) {
    sem_wait(&ready);
    pthread_join(first, NULL);
    return NULL;
}

int main(void) {
    sem_init(&ready, 0, 0);
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    sem_post(&ready);
    sem_post(&ready);
    pthread_cancel(second);
    return 0;
}
