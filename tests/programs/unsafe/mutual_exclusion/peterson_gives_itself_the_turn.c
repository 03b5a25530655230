// what: Peterson's algorithm in which each thread keeps the turn for itself
// expect: race=violated assert=violated
// schedules: 2000
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int wants[2], turn;
static void enter(int me) {
    wants[me] = 1;
    turn = me;
    while (wants[1 - me] && turn == 1 - me) sched_yield();
}
static void leave(int me) {
    wants[me] = 0;
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
