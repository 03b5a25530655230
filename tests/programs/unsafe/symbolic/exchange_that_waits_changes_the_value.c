// what: the exchange of a loop that waits writes another value than it reads, which a second thread sees
// expect: assert=violated
// options: --memory-model sc
// why: the waiting round replaces 2 by 1; without that round the assertion holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock = 2;
static void *waits(void *unused) {
    while (atomic_exchange(&lock, 1) != 0) {
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    assert(atomic_load(&lock) == 2); //~ ASSERT
    atomic_store(&lock, 0);
    pthread_join(thread, 0);
}
