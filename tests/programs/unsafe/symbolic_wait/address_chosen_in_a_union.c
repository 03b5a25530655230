// what: a loop only waits; a union holds the address of a local variable of the round or a number, and is read as a number
// expect: assert=violated
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int stop;
union both {
    int *pointer;
    unsigned long number;
};

static void look(void) {
    union both both;
    int own = 0;
    unsigned long number = (unsigned long)raddle_any_uchar() << 40;
    int is_own = raddle_any_bool();
    both.pointer = is_own ? &own : (int *)number;
    unsigned long k = both.number >> 29 & 7;
    if (is_own) assert(k != 5); //~ ASSERT
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
