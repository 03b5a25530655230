// what: a buffer of two places between one producer and one consumer, with two semaphores, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the semaphores keep both ends apart; items come out in the order they went in, modulo four
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_places, filled_places;
static int places[2];
static void *consumer(void *unused) {
    for (int n = 0;; n = (n + 1) % 4) {
        sem_wait(&filled_places);
        assert(places[n % 2] == n);
        sem_post(&free_places);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&free_places, 0, 2);
    sem_init(&filled_places, 0, 0);
    pthread_create(&thread, NULL, consumer, NULL);
    for (int n = 0;; n = (n + 1) % 4) {
        sem_wait(&free_places);
        places[n % 2] = n;
        sem_post(&filled_places);
    }
    return 0;
}
