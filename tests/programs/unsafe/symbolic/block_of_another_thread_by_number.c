// what: a thread converts the address of a block of another one, whose place on the heap depends on an input
// expect: assert=violated
// why: the block is the first or the second one of its thread
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *publisher(void *unused) {
    if (raddle_any_bool()) free(malloc(4));
    int *own = malloc(4);
    pthread_mutex_lock(&mutex);
    shared = own;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    pthread_mutex_lock(&mutex);
    int *seen = shared;
    pthread_mutex_unlock(&mutex);
    if (seen) assert((unsigned long)seen >> 32 & ~0x200000ul); //~ ASSERT
    return 0;
}
