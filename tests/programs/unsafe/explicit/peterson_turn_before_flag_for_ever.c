// what: Peterson's algorithm with its first two writes exchanged
// expect: assert=violated race=violated
// engines: explicit
// why: turn=1 (A), turn=0 and flag (B), B enters seeing A's flag down; A raises its flag and enters because turn is 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2], turn;
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument, other = 1 - me;
    for (;;) {
        turn = other;
        flags[me] = 1;
        while (flags[other] && turn == other) {
        }
        owner = me; //~ RACE
        assert(owner == me); //~ ASSERT //~ RACE
        flags[me] = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
