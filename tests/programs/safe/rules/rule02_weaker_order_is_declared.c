// what: a relaxed order is honoured or declared: no violation, but the verdict is at most bounded without --memory-model sc
// expect: assert=ok
// explicit: all=bounded (weaker orders: rule 2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static void *child(void *unused) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
