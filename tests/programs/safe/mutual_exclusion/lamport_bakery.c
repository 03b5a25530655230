// what: Lamport's bakery for two threads: draw a number, wait for the smaller ones
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int choosing[THREADS], number[THREADS];
static void enter(int me) {
    choosing[me] = 1;
    int largest = 0;
    for (int i = 0; i < THREADS; i++) {
        int n = number[i];
        if (n > largest) largest = n;
    }
    number[me] = largest + 1;
    choosing[me] = 0;
    for (int i = 0; i < THREADS; i++) {
        if (i == me) continue;
        while (choosing[i]) sched_yield();
        for (;;) {
            int n = number[i], mine = number[me];
            if (n == 0 || n > mine || (n == mine && i > me)) break;
            sched_yield();
        }
    }
}
static void leave(int me) {
    number[me] = 0;
}

static int shared;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    enter(me);
    shared++;
    leave(me);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(shared == THREADS);
    return 0;
}
