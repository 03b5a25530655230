// what: Szymanski's algorithm for two threads: a waiting room with two doors
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int flag[2];
static void enter(int me) {
    int other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3) sched_yield();
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4) sched_yield();
    }
    flag[me] = 4;
    if (me == 1)
        while (flag[0] >= 2) sched_yield();
}
static void leave(int me) {
    if (me == 0)
        while (flag[1] == 2 || flag[1] == 3) sched_yield();
    flag[me] = 0;
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
