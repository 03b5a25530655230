// what: main ends the run inside an atomic section: the writes of the section are never visible
// expect: assert=violated
// explicit: race=bounded (synchronisation inside an atomic section was executed: rule 6)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);

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
    exit(0);
}
