// what: a loop that waits combines a choice with what it reads: only a round that chooses zero changes nothing
// expect: assert=violated
// options: --memory-model sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Bool __VERIFIER_nondet_bool(void);
static atomic_uint marks;
static atomic_int stop;
static void *waits(void *unused) {
    while (!atomic_load(&stop)) atomic_fetch_or(&marks, __VERIFIER_nondet_bool());
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    unsigned seen = atomic_load(&marks);
    atomic_store(&stop, 1);
    pthread_join(thread, 0);
    assert(seen == 0); //~ ASSERT
}
