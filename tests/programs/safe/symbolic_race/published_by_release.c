// what: data is published by a release store that an acquire load reads
// expect: race=ok assert=ok
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static void *publisher(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
