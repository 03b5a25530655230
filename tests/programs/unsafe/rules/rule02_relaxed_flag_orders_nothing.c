// what: a relaxed flag is atomic but does not order the message: a race
// expect: race=violated
// explicit: all=bounded (weaker orders: rule 2)
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int sent;
static void *sender(void *unused) {
    message = 1; //~ RACE
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, sender, NULL);
    if (atomic_load_explicit(&sent, memory_order_relaxed)) seen = message; //~ RACE
    pthread_join(thread, NULL);
    return seen > 1;
}
