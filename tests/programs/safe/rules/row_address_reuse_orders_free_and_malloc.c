// what: a free synchronises with the malloc that takes its block (C17 7.22.3): what came before may be read after
// expect: assert=ok race=ok
// options: --reuse-addresses
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int message;

static void *child(void *block) {
    message = 42;
    free(block);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&thread, NULL, child, block);
    int *other = malloc(sizeof *other);
    if ((uintptr_t)other == old) assert(message == 42);
    pthread_join(thread, NULL);
    free(other);
    return 0;
}
