// what: the twin of dekker_over_volatile with seq_cst atomics, whose freedom from races is proved in the same run
// expect: assert=ok race=ok
// options: --property assert --property race
// silent: memory is sequentially consistent
// why: without races and with seq_cst atomics only, real machines have no other executions
#include <assert.h>
#include <pthread.h>

static _Atomic int first_wants, second_wants;
static int inside;

static void *first(void *argument) {
    first_wants = 1;
    if (!second_wants) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    first_wants = 0;
    return argument;
}

static void *second(void *argument) {
    second_wants = 1;
    if (!first_wants) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    second_wants = 0;
    return argument;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
