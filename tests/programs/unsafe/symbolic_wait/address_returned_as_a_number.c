// what: a loop only waits; a function that returns the address of a local variable of each round is called as one that returns a number
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static int *same(int *pointer) { return pointer; }
static unsigned long (*number_of)(int *) = (unsigned long (*)(int *))same;

static void look(void) {
    int own = 0;
    assert((number_of(&own) >> 29 & 7) != 5); //~ ASSERT
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
