// what: a spin lock by exchange that one thread does not take for one input
// expect: race=violated assert=violated
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
static atomic_int lock;
static int x;
static void take(void) {
    while (atomic_exchange(&lock, 1)) {
    }
}
static void give(void) { atomic_store(&lock, 0); }
static void *careful(void *unused) {
    take();
    x++; //~ RACE
    give();
    return unused;
}
static void *careless(void *unused) {
    int skip = __VERIFIER_nondet_int() == 42;
    if (!skip) take();
    x++; //~ RACE
    if (!skip) give();
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, careful, 0);
    pthread_create(&second, 0, careless, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(x == 2); //~ ASSERT
}
