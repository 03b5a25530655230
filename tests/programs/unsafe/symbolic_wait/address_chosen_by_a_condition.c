// what: a loop only waits; the address of a local variable of each round is converted to a number where a condition chose it
// expect: assert=violated
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int stop;

static void look(void) {
    int own = 0;
    unsigned long number = (unsigned long)raddle_any_uchar() << 40;
    int is_own = raddle_any_bool();
    int *pointer = is_own ? &own : (int *)number;
    unsigned long k = (unsigned long)pointer >> 29 & 7;
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
