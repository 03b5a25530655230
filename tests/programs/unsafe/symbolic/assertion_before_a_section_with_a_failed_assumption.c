// what: an assumption fails inside an atomic section of main: the writes of the section are never visible
// expect: assert=violated
// explicit: race=bounded (synchronisation inside an atomic section was executed: rule 6)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static atomic_int value;

static void *reader(void *unused) {
    assert(value != 1); //~ ASSERT
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    value = 1;
    __VERIFIER_atomic_begin();
    value = 0;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}
