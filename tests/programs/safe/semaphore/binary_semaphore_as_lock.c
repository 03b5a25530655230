// what: a semaphore of value 1 keeps two threads apart
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;
static void *child(void *unused) {
    sem_wait(&semaphore);
    counter++;
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int value;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_getvalue(&semaphore, &value);
    assert(counter == 2 && value == 1);
    assert(sem_destroy(&semaphore) == 0);
    return 0;
}
