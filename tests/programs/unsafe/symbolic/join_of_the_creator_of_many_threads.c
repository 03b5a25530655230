// what: main joins a thread whose 31st child has a number that is mixed from the path to it
// expect: assert=violated
// options: --property assert
// explicit: skip (two to the power of 31 states)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *grandchild(void *unused) {
    sem_wait(&never);
    return unused;
}

static void *child(void *unused) {
    pthread_t t;
    for (int i = 0; i < 31; i++) pthread_create(&t, NULL, grandchild, NULL);
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
