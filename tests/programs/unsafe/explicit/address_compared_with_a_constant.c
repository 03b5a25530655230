// what: the address of a local variable of each round is compared with a number in the code, the address of that of the sixth round
// expect: assert=violated
// why: names that canonical renaming changes are the same in each round; a number that may name an object observes them
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void look(void) {
    int own = 0;
    assert(&own != (int *)0x2000005c000000); //~ ASSERT
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
