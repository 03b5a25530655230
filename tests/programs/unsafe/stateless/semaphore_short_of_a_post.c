// what: two threads wait for one post
// expect: deadlock=violated
// why: in every execution one wait is left; preemptions: 0
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static void *take(void *unused) {
    sem_wait(&semaphore); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL); //~ DEADLOCK
    pthread_join(b, NULL); //~ DEADLOCK
    return 0;
}
