// what: the queue lock of Craig, Landin and Hagersten: each thread waits on the node before it
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int waits[THREADS + 1];
static atomic_int tail = THREADS;
static void enter(int me) {
    waits[me] = 1;
    int before = atomic_exchange(&tail, me);
    while (waits[before]) sched_yield();
}
static void leave(int me) {
    waits[me] = 0;
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
