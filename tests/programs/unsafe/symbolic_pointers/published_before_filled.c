// what: the address of a block is published before the block is filled
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;
static void *writer(void *unused) {
    int *block = calloc(1, sizeof *block);
    slot = block;
    *block = 42; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int *seen = slot;
    if (seen) assert(*seen == 42); //~ ASSERT RACE
    pthread_join(thread, NULL);
    return 0;
}
