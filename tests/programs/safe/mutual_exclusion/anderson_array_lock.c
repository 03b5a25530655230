// what: Anderson's lock: a place in an array for each waiting thread
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static atomic_uint next;
static atomic_int may_go[THREADS] = {1};
static unsigned places[THREADS];
static void enter(int me) {
    places[me] = atomic_fetch_add(&next, 1) % THREADS;
    while (!may_go[places[me]]) sched_yield();
    may_go[places[me]] = 0;
}
static void leave(int me) {
    may_go[(places[me] + 1) % THREADS] = 1;
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
