// what: main frees a block when its last user is joined
// expect: race=ok memsafety=ok
// explicit: race=bounded (a relaxed operation tells of another thread and orders nothing: rule 6)
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int finished;
static void *user(void *argument) {
    int *block = argument;
    block[1] = 3;
    atomic_store_explicit(&finished, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(2 * sizeof *block);
    pthread_create(&thread, NULL, user, block);
    pthread_join(thread, NULL);
    if (atomic_load_explicit(&finished, memory_order_relaxed)) free(block);
    return 0;
}
