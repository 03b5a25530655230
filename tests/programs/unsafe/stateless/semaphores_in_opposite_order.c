// what: two semaphores of one permit in opposite order
// expect: deadlock=violated
// why: a switch when one thread has its first permit; preemptions: 1
#include <pthread.h>
#include <semaphore.h>

static sem_t one, two;
static void *left(void *unused) {
    sem_wait(&one);
    sem_wait(&two); //~ DEADLOCK
    sem_post(&two);
    sem_post(&one);
    return NULL;
}
static void *right(void *unused) {
    sem_wait(&two);
    sem_wait(&one); //~ DEADLOCK
    sem_post(&one);
    sem_post(&two);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&one, 0, 1);
    sem_init(&two, 0, 1);
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL); //~ DEADLOCK
    pthread_join(b, NULL);
    return 0;
}
