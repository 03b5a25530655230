/* Peterson's filter lock for N threads that enter for ever and count modulo M; with N = 2 it is his algorithm for two.
 * A thread climbs N - 1 levels; at each it lets the one that came last wait while anybody is at the level or above.
 * peterson.pml is the same algorithm, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif
static atomic_int level[N], last[N];
static int counter;

static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        for (int l = 1; l < N; l++) {
            level[me] = l;
            last[l] = me;
            for (int other = 0; other < N; other++) {
                if (other == me) continue;
                while (level[other] >= l && last[l] == me) {
                }
            }
        }
        int next = (counter + 1) % M;
        counter = next;
        assert(counter == next);
        level[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
