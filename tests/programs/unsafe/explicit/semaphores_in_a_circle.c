// what: each of two threads waits for the other's semaphore before it posts its own
// expect: deadlock=violated
// why: both values are 0 and stay so
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;
static void *thread(void *unused) {
    sem_wait(&a); //~ DEADLOCK
    sem_post(&b);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t, NULL, thread, NULL);
    sem_wait(&b); //~ DEADLOCK
    sem_post(&a);
    pthread_join(t, NULL);
    return 0;
}
