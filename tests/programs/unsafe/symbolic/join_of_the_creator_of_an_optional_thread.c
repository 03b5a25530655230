// what: main joins a thread whose child has a number that depends on an input, and never ends
// expect: assert=violated
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

static sem_t never;

static void *grandchild(void *unused) {
    sem_wait(&never);
    return unused;
}

static void *child(void *unused) {
    pthread_t t;
    if (__VERIFIER_nondet_bool()) pthread_create(&t, NULL, grandchild, NULL);
    pthread_create(&t, NULL, grandchild, NULL);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&never, 0, 0);
    pthread_create(&a, NULL, child, NULL);
    pthread_join(a, NULL);
    assert(0); //~ ASSERT
    return 0;
}
