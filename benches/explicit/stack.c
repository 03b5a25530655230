/* A lock-free stack after Treiber (1986): N threads push their node by compare-and-swap whenever it is free; one takes
 * the whole stack by an exchange, and frees what it took. Taking all at once needs no protection against reused nodes.
 * For ever. stack.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
/* Nodes have the numbers 1 to N; 0 is the end of the stack. */
static atomic_int head, used[N + 1];
static int next[N + 1];

static void *pusher(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        while (used[me]) {
        }
        used[me] = 1;
        int top = head;
        do next[me] = top;
        while (!atomic_compare_exchange_strong(&head, &top, me));
    }
    return NULL;
}

static void *taker(void *unused) {
    for (;;) {
        int node = atomic_exchange(&head, 0);
        while (node) {
            int after = next[node];
            assert(used[node]);
            used[node] = 0;
            node = after;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 1; i <= N; i++) pthread_create(&threads[i], NULL, pusher, (void *)i);
    pthread_create(&threads[0], NULL, taker, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
