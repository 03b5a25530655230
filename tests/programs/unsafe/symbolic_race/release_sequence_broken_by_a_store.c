// what: a relaxed store of a third thread ends the release sequence
// expect: race=violated
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;
static void *producer(void *unused) {
    data = 1; //~ RACE
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}
static void *middle(void *unused) {
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1) atomic_store_explicit(&stage, 11, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int seen = 0;
    pthread_create(&first, NULL, producer, NULL);
    pthread_create(&second, NULL, middle, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 11) seen = data; //~ RACE
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return seen;
}
