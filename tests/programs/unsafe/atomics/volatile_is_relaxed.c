// what: volatile accesses that count as relaxed atomics do not race, and order nothing behind them
// expect: race=violated
// explicit: all=bounded relaxed orders: only sequentially consistent executions
// options: --volatile-is-atomic
#include <pthread.h>

static volatile int ready;
static int content;

static void *child(void *unused) {
    content = 1; //~ RACE
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, child, 0);
    int seen = 0;
    if (ready)
        seen = content; //~ RACE
    pthread_join(thread, 0);
    return seen > 1;
}
