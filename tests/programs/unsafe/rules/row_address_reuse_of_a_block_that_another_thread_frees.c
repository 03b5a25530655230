// what: a malloc may take the block that another thread frees; the order of the two matters though they touch nothing in common
// expect: assert=violated
// options: --reuse-addresses
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *child(void *block) {
    free(block);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    uintptr_t old = (uintptr_t)block;
    pthread_create(&thread, NULL, child, block);
    int *other = malloc(sizeof *other);
    assert((uintptr_t)other != old); //~ ASSERT
    pthread_join(thread, NULL);
    free(other);
    return 0;
}
