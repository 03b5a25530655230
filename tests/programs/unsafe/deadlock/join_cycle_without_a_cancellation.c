// what: two threads join each other; main cancels another one, and then no thread is left to end the cycle
// expect: deadlock=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_t first, second;
static sem_t ready;
static void *left(void *unused) {
    sem_wait(&ready);
    pthread_join(second, NULL); //~ DEADLOCK
    return NULL;
}
static void *right(void *unused) {
    sem_wait(&ready);
    pthread_join(first, NULL); //~ DEADLOCK
    return NULL;
}
static void *sleeper(void *unused) {
    pthread_testcancel();
    return NULL;
}

int main(void) {
    pthread_t third;
    sem_init(&ready, 0, 0);
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    pthread_create(&third, NULL, sleeper, NULL);
    sem_post(&ready);
    sem_post(&ready);
    pthread_cancel(third);
    pthread_exit(NULL);
}
