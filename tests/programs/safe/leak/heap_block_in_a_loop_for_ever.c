// what: as in safe/explicit, and no block is lost: two threads allocate and free a block for ever
// expect: assert=ok leak=ok
// options: --property assert --property leak
// engines: explicit
// proved: explicit
// why: finitely many states only if a block's name does not count how many came before it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *argument) {
    for (;;) {
        long *block = malloc(sizeof *block);
        *block = (long)argument;
        assert(*block == (long)argument);
        free(block);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)1);
    pthread_create(&b, NULL, thread, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
