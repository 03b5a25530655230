// what: two semaphores hand one place of a buffer to and fro
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled, emptied;
static int place;
static void *producer(void *unused) {
    for (int i = 1; i <= 3; i++) {
        sem_wait(&emptied);
        place = i;
        sem_post(&filled);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 1);
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= 3; i++) {
        sem_wait(&filled);
        assert(place == i);
        sem_post(&emptied);
    }
    pthread_join(thread, NULL);
    return 0;
}
