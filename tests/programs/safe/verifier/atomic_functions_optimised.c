// what: functions that are atomic by their name stay so when the optimiser inlines them
// expect: assert=ok race=ok
// options: --optimize 2
// why: each increment is a read and a write inside one section
#include <assert.h>
#include <pthread.h>
static int counter;
static void __VERIFIER_atomic_increment(void) {
    int old = counter;
    counter = old + 1;
}
static int __ESBMC_atomic_read(void) { return counter; }
static void *thread(void *unused) {
    __VERIFIER_atomic_increment();
    __VERIFIER_atomic_increment();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread, 0);
    __VERIFIER_atomic_increment();
    int first = __ESBMC_atomic_read();
    int second = __ESBMC_atomic_read();
    assert(first <= second);
    pthread_join(a, 0);
    assert(counter == 3);
    return 0;
}
