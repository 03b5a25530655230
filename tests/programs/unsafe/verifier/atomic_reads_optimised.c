// what: two reads by functions that are atomic by their name may differ, also after the optimiser
// expect: assert=violated
// options: --optimize 2
// why: another thread may write between two sections; loads must not be joined across their boundaries
#include <assert.h>
#include <pthread.h>
static int counter;
static void __CPROVER_atomic_write(void) { counter = 1; }
static int __CPROVER_atomic_read(void) { return counter; }
static void *thread(void *unused) {
    __CPROVER_atomic_write();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread, 0);
    int first = __CPROVER_atomic_read();
    int second = __CPROVER_atomic_read();
    assert(first == second); //~ ASSERT
    pthread_join(a, 0);
    return 0;
}
