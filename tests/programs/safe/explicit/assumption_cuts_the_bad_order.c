// what: a thread goes on only if it was first; the assertion holds in the runs that are left
// expect: assert=ok
// proved: explicit
// why: a failed assumption blocks the thread for ever, which is no deadlock, and main does not wait for it
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int first;
static void *thread(void *unused) {
    int nobody = 0;
    atomic_compare_exchange_strong(&first, &nobody, 1);
    raddle_assume(nobody == 0);
    assert(first == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int nobody = 0;
    atomic_compare_exchange_strong(&first, &nobody, 2);
    return 0;
}
