// what: a block is filled before its address is published; the reader sees its content
// expect: assert=ok race=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;
static void *writer(void *unused) {
    int *block = calloc(1, sizeof *block);
    *block = 42;
    slot = block;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    int *seen = slot;
    if (seen) assert(*seen == 42);
    pthread_join(thread, NULL);
    return 0;
}
