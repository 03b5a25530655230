// what: the flag is loaded with acquire, so that the data behind it is ordered
// expect: race=ok
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>

static int data[2];
static atomic_int ready;
static void *producer(void *unused) {
    data[0] = 1;
    data[1] = 2;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire)) sum = data[1];
    pthread_join(thread, NULL);
    return sum;
}
