// what: between two joins main makes the permit that a thread not yet joined tries to take
// expect: assert=violated
// explicit: race=bounded (a try-operation that failed tells of another thread and orders nothing)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permit;

static void *idle(void *unused) { return NULL; }

static void *worker(void *unused) {
    if (sem_trywait(&permit) == 0) assert(0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t first, second;
    sem_init(&permit, 0, 0);
    pthread_create(&first, NULL, idle, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    sem_post(&permit);
    pthread_join(second, NULL);
    return 0;
}
