// what: the assumption leaves the bad answer
// expect: assert=violated
// why: the answer 3 is assumed, and no switch is needed; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x;
static void *pick(void *unused) {
    int value = (int)raddle_any_in(0, 3);
    raddle_assume(value != 2);
    x = value;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, pick, NULL);
    pthread_join(a, NULL);
    assert(x < 3); //~ ASSERT
    return 0;
}
