// what: getvalue says there is one, but another thread takes it before the wait
// expect: deadlock=violated
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static void *child(void *unused) {
    int value;
    sem_getvalue(&semaphore, &value);
    if (value > 0) sem_wait(&semaphore); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
