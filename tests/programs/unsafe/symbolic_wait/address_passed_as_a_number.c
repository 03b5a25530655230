// what: a loop only waits; the address of a local variable of each round is an argument of a function that takes a number
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static unsigned long part(unsigned long number) { return number >> 29 & 7; }
static unsigned long (*part_of)(int *) = (unsigned long (*)(int *))part;

static void look(void) {
    int own = 0;
    assert(part_of(&own) != 5); //~ ASSERT
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
