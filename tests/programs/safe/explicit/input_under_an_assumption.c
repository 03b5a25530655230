// what: an integer that is at once assumed to be small, used by two threads
// expect: assert=ok
// proved: explicit
// why: only 1 to 3 pass the assumption; the thread adds it once, main once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int sum;
static void *thread(void *argument) {
    sum += (int)(long)argument;
    return NULL;
}

int main(void) {
    pthread_t t;
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input >= 1 && input <= 3);
    pthread_create(&t, NULL, thread, (void *)(long)input);
    sum += input;
    pthread_join(t, NULL);
    assert(sum == 2 * input);
    return 0;
}
