// what: Lamport's fast mutual exclusion
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int x, y, busy[THREADS + 1];
static void enter(int me) {
    int id = me + 1;
    again:
    busy[id] = 1;
    x = id;
    if (y != 0) {
        busy[id] = 0;
        while (y != 0) sched_yield();
        goto again;
    }
    y = id;
    if (x != id) {
        busy[id] = 0;
        for (int i = 1; i <= THREADS; i++)
            while (busy[i]) sched_yield();
        if (y != id) {
            while (y != 0) sched_yield();
            goto again;
        }
    }
}
static void leave(int me) {
    y = 0;
    busy[me + 1] = 0;
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
