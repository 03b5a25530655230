// what: the first thread is created on two paths that have prepared memory differently
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
static atomic_int value, seen;
static void *look(void *unused) {
    seen = value;
    return unused;
}
int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_int() == 77) {
        value = 1;
        pthread_create(&thread, 0, look, 0);
    } else {
        value = 2;
        pthread_create(&thread, 0, look, 0);
    }
    value = 3;
    pthread_join(thread, 0);
    assert(seen != 1); //~ ASSERT
}
