// what: the value is used only where the semaphore was taken
// expect: race=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;
static void *worker(void *unused) {
    result = 5;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    if (sem_trywait(&done) == 0) result++;
    pthread_join(thread, NULL);
    return 0;
}
