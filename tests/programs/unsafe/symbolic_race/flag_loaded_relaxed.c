// what: the flag is stored with release and loaded relaxed: no order
// expect: race=violated
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>

static int data[2];
static atomic_int ready;
static void *producer(void *unused) {
    data[0] = 1;
    data[1] = 2; //~ RACE
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) sum = data[1]; //~ RACE
    pthread_join(thread, NULL);
    return sum;
}
