// what: three equal threads share two permits of a semaphore, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int inside;

static void *worker(void *unused) {
    for (;;) {
        sem_wait(&permits);
        inside++;
        assert(inside <= 2);
        inside--;
        sem_post(&permits);
    }
    return NULL;
}

int main(void) {
    sem_init(&permits, 0, 2);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
