// what: a loop only waits, but the address of a local variable of each round is read as a number through a union
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
union both {
    int *pointer;
    unsigned long number;
};

static void look(void) {
    union both both;
    int own = 0;
    both.pointer = &own;
    unsigned long k = both.number >> 29 & 7;
    assert(k != 5);
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
