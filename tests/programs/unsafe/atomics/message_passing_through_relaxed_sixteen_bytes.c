// what: a relaxed 16-byte flag orders nothing: the message behind it races
// expect: race=violated
// explicit: all=bounded (weaker orders: rule 2)
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 flag;
static int message;

static void *writer(void *unused) {
    message = 42; //~ RACE
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) seen = message; //~ RACE
    pthread_join(thread, NULL);
    return seen == 1;
}
