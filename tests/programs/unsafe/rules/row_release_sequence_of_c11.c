// what: a relaxed store of the same thread ends the release sequence (C++20); by C11 it would continue it
// expect: race=violated
// explicit: all=bounded (weaker orders: rule 2)
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int message;

static void *writer(void *argument) {
    message = 42; //~ RACE
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2) seen = message; //~ RACE
    pthread_join(thread, NULL);
    return seen == 1;
}
