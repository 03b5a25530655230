// what: a loop only waits; a local variable of each round is compared with a number, the address of that of the sixth round
// expect: assert=violated
// why: the second thread's objects on the stack follow each other in steps of 1 << 28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void look(void) {
    int own = 0;
    int *sixth = (int *)0x2000005c000000;
    assert(&own != sixth); //~ ASSERT
}

static void *waiter(void *unused) {
    while (!stop) look();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
