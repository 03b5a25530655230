// what: three threads pass a token round for ever, a semaphore each
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: one semaphore is 1 or one thread has the token, never two; a post orders what was done before it
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens[3];
static int holder;
static void *station(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        sem_wait(&tokens[me]);
        holder = me;
        assert(holder == me);
        sem_post(&tokens[(me + 1) % 3]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) sem_init(&tokens[i], 0, i == 0);
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, station, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
