// what: a function that is atomic by its name stays so with the attribute always_inline
// expect: assert=ok race=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>

static int counter;
__attribute__((always_inline)) static inline void __VERIFIER_atomic_increment(void) {
    int old = counter;
    counter = old + 1;
}
static void *child(void *unused) {
    __VERIFIER_atomic_increment();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    __VERIFIER_atomic_increment();
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
