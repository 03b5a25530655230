// what: the twin of every_schedule_is_cut: all schedules end, which is a bound that was reached, beside too many states
// expect: assert=ok
// explicit: skip (an input of 32 bits)
// auto: all=bounded (too many values of an input, and a setjmp, which the symbolic engine does not support)
// options: --property assert
// schedules: 10
// says: no violation in 10 schedules
// why: the sum wraps around to the product, but for no input to a sum that differs
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

static atomic_uint n;

static void *add(void *argument) {
    atomic_fetch_add(&n, *(unsigned *)argument);
    return 0;
}

int main(void) {
    jmp_buf unused;
    if (setjmp(unused)) return 1;
    pthread_t one, two;
    unsigned input = __VERIFIER_nondet_uint();
    pthread_create(&one, 0, add, &input);
    pthread_create(&two, 0, add, &input);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(n == 2 * input);
    return 0;
}
