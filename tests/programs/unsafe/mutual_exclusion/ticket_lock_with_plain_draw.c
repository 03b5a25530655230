// what: a ticket lock whose tickets are not drawn atomically
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_uint next, serving;
static void enter(int me) {
    unsigned mine = next;
    next = mine + 1;
    while (serving < mine) sched_yield();
}
static void leave(int me) {
    serving = serving + 1;
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
