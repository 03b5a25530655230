/* N dining philosophers. The last one takes the forks in the other order, so that the order of all forks is respected;
 * with -DDEADLOCK everybody takes the left one first. They eat for ever, or -DROUNDS=n times.
 * philosophers.pml is the same (for ever), step by step. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 0
#endif
static pthread_mutex_t fork_of[N];
static int eating[N];

static void *philosopher(void *argument) {
    int me = (int)(long)argument, left = me, right = (me + 1) % N;
    int first = left, second = right;
#ifndef DEADLOCK
    if (first > second) {
        first = right;
        second = left;
    }
#endif
    for (int round = 0; ROUNDS == 0 || round < ROUNDS; round += ROUNDS != 0) {
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        eating[me] = 1;
        assert(!eating[(me + 1) % N] && !eating[(me + N - 1) % N]);
        eating[me] = 0;
        pthread_mutex_unlock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
