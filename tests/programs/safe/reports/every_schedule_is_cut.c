// what: no schedule ends and there are too many states: nothing was decided, and the report says where schedules were cut
// expect: assert=ok
// explicit: skip (a counter of 64 bits)
// auto: assert=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown (every schedule was cut)
// options: --property assert
// schedules: 10
// says: no violation in 0 complete schedules (10 were cut after 20000 steps each, the last at
// why: the assertion fails after some 10^11 steps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong n;

static void *count(void *argument) {
    for (;;) atomic_fetch_add(&n, 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    for (;;) assert(atomic_load(&n) != 123456789012ul);
}
