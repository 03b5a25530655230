/* Dekker's algorithm for two threads that enter for ever. What they write inside is the number of the round, counted
 * modulo ROUNDS by each thread for itself: the size of the state space. dekker.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 10
#endif
static atomic_int wants[2], turn;
static int stamp;

static void *thread(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    for (int round = 0;; round = (round + 1) % ROUNDS) {
        wants[me] = 1;
        while (wants[other]) {
            if (turn != me) {
                wants[me] = 0;
                while (turn != me) {
                }
                wants[me] = 1;
            }
        }
        stamp = 2 * round + me;
        assert(stamp == 2 * round + me);
        turn = other;
        wants[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
