// what: main frees a block whose user has set a relaxed flag: the flag orders nothing
// expect: race=violated memsafety=ok
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int finished;
static void *user(void *argument) {
    int *block = argument;
    block[1] = 3; //~ RACE
    atomic_store_explicit(&finished, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(2 * sizeof *block);
    pthread_create(&thread, NULL, user, block);
    if (atomic_load_explicit(&finished, memory_order_relaxed)) free(block); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
