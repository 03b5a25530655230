// what: a spin lock by exchange protects a counter that an input is added to; a failed exchange writes what it reads
// expect: race=ok assert=ok deadlock=ok
// proved: order
// options: --memory-model sc
// why: rounds that wait change nothing, so the loop needs no unwinding; the input is too wide to enumerate
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
unsigned __VERIFIER_nondet_uint(void);
static atomic_int lock;
static unsigned count, sum;
static void take(void) {
    while (atomic_exchange(&lock, 1)) {
    }
}
static void give(void) { atomic_store(&lock, 0); }
static void *add(void *unused) {
    unsigned input = __VERIFIER_nondet_uint();
    take();
    sum += input;
    count++;
    sum -= input;
    give();
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count == 2 && sum == 0);
}
