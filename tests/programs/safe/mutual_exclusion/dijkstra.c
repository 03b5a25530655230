// what: Dijkstra's algorithm for any number of threads, here two
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int idle[THREADS] = {1, 1}, outside[THREADS] = {1, 1}, turn;
static void enter(int me) {
    idle[me] = 0;
    again:
    outside[me] = 1;
    int holder = turn;
    if (holder != me) {
        if (idle[holder]) turn = me;
        sched_yield();
        goto again;
    }
    outside[me] = 0;
    for (int i = 0; i < THREADS; i++)
        if (i != me && !outside[i]) goto again;
}
static void leave(int me) {
    outside[me] = 1;
    idle[me] = 1;
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
