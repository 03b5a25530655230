// what: Lamport's fast mutual exclusion that trusts its first look
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int x, y;
static void enter(int me) {
    int id = me + 1;
    again:
    x = id;
    if (y != 0) {
        while (y != 0) sched_yield();
        goto again;
    }
    y = id;
}
static void leave(int me) {
    y = 0;
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
