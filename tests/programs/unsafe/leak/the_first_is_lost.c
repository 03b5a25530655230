// what: two threads publish a block each, the second over the first, unless it looks first and finds the other's
// expect: leak=violated
// engines: explicit stateless
// options: --property leak
// why: both find nothing, and the first block is lost when the second is published
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) block;

static void *publish(void *unused) {
    if (!atomic_load(&block)) atomic_store(&block, malloc(sizeof(int))); //~ leak
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, publish, 0);
    pthread_create(&second, 0, publish, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
