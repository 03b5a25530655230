/* A sense-reversing barrier that N threads pass for ever. The rounds are counted modulo four; behind the barrier the
 * neighbour is in the same round or has begun the next. barrier.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
static atomic_int missing = N, sense, round_of[N];

static void *thread(void *argument) {
    int me = (int)(long)argument, round = 0;
    for (;;) {
        round = (round + 1) % 4;
        round_of[me] = round;
        int mine = round % 2;
        if (atomic_fetch_sub(&missing, 1) == 1) {
            missing = N;
            sense = mine;
        } else {
            while (sense != mine) {
            }
        }
        int ahead = (round_of[(me + 1) % N] - round + 4) % 4;
        assert(ahead <= 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
