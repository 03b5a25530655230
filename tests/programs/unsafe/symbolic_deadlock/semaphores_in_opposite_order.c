// what: two resources counted by semaphores, taken in opposite order
// expect: deadlock=violated
#include <pthread.h>
#include <semaphore.h>

static sem_t printer, scanner;
static void *copies(void *unused) {
    sem_wait(&printer);
    sem_wait(&scanner); //~ DEADLOCK
    sem_post(&scanner);
    sem_post(&printer);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&printer, 0, 1);
    sem_init(&scanner, 0, 1);
    pthread_create(&thread, NULL, copies, NULL);
    sem_wait(&scanner);
    sem_wait(&printer); //~ DEADLOCK
    sem_post(&scanner);
    sem_post(&printer);
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
