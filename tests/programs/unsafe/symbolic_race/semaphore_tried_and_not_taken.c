// what: an empty semaphore tells that the other thread is not done, and orders nothing
// expect: race=violated
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;
static void *worker(void *unused) {
    result = 5; //~ RACE
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    if (sem_trywait(&done) != 0) result++; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
