// what: data is published by a relaxed flag, which orders nothing
// expect: race=violated
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static void *publisher(void *unused) {
    data = 42; //~ RACE
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 42); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
