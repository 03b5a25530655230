// what: Lamport's bakery without the door: a thread with the same number comes late
// expect: race=violated assert=violated
// schedules: 2000
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int number[THREADS];
static void enter(int me) {
    int largest = 0;
    for (int i = 0; i < THREADS; i++) {
        int n = number[i];
        if (n > largest) largest = n;
    }
    number[me] = largest + 1;
    for (int i = 0; i < THREADS; i++) {
        if (i == me) continue;
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
    shared++; //~ RACE
    leave(me);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert(shared == THREADS); //~ ASSERT
    return 0;
}
