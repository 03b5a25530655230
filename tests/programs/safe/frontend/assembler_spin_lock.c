// what: a spin lock by exchange and compare-exchange in assembler, as older code has it
// expect: assert=ok race=ok
#include <assert.h>
#include <pthread.h>

static volatile int held;
static int counter;

static int exchange(volatile int *place, int value) {
    __asm__ volatile("xchgl %0, %1" : "=r"(value), "+m"(*place) : "0"(value) : "memory");
    return value;
}

static int swap_if(volatile int *place, int expected, int value) {
    int before;
    __asm__ volatile("lock\n\tcmpxchgl %2, %1" : "=a"(before), "+m"(*place) : "r"(value), "0"(expected) : "memory");
    return before;
}

static void *worker(void *argument) {
    if (argument)
        while (exchange(&held, 1)) __asm__ volatile("rep; nop" ::: "memory");
    else
        while (swap_if(&held, 0, 1) != 0) __asm__ volatile("pause");
    counter++;
    exchange(&held, 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &counter);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
