// what: a lock semaphore that starts at 2 lets both threads in
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;
static void *child(void *unused) {
    sem_wait(&semaphore);
    counter++; //~ RACE
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 2);
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
