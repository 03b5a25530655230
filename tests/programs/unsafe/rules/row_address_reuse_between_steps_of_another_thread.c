// what: a malloc takes the block that another thread has just freed, before that thread goes on
// expect: assert=violated
// options: --reuse-addresses
// why: free and malloc touch nothing in common but the set of freed blocks
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int later;

static void *child(void *block) {
    free(block);
    later = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&thread, NULL, child, block);
    int *other = malloc(sizeof *other);
    assert((uintptr_t)other != old || later == 1); //~ ASSERT
    pthread_join(thread, NULL);
    free(other);
    return 0;
}
