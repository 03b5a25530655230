// what: two threads allocate an object; the first to swap its pointer in wins, the other frees its own
// expect: assert=ok
// proved: explicit
// why: each block is freed once: the loser's at once, the winner's by main after the joins
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;
static void *thread(void *argument) {
    int *mine = malloc(sizeof *mine), *nothing = NULL;
    *mine = (int)(long)argument;
    if (!atomic_compare_exchange_strong(&published, &nothing, mine)) free(mine);
    int *all = published;
    assert(*all == 1 || *all == 2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)1);
    pthread_create(&b, NULL, thread, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(published);
    return 0;
}
