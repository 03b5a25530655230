// what: a ring of three stations with two tokens in it
// expect: assert=violated race=violated
// engines: explicit
// why: two stations have a token at the same time
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens[3];
static int holder;
static void *station(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        sem_wait(&tokens[me]);
        holder = me; //~ RACE
        assert(holder == me); //~ ASSERT //~ RACE
        sem_post(&tokens[(me + 1) % 3]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) sem_init(&tokens[i], 0, i != 2);
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, station, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
