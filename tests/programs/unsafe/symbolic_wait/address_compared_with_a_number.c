// what: a loop only waits; a local variable of each round is compared with a number, the address of that of the sixth round
// expect: assert=violated
// why: the second thread's objects on the stack follow each other in steps of 1 << 28
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int stop;

static void look(void) {
    int own = 0;
    unsigned long round = raddle_any_uchar();
    raddle_assume(round == 5);
    int *sixth = (int *)(0x2000000c000000 + (round << 28));
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
