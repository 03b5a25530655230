// what: a release fence before a relaxed store, and no fence behind the relaxed load
// expect: race=violated
// options: --memory-model sc
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static void *producer(void *unused) {
    data = 1; //~ RACE
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, producer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        seen = data; //~ RACE
    }
    pthread_join(thread, NULL);
    return seen;
}
