// what: the filter lock of Peterson for three threads with one level too few
// expect: race=violated assert=violated
// schedules: 2000
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 3 };
static atomic_int level[THREADS], last[THREADS];
static void enter(int me) {
    for (int l = 1; l < THREADS - 1; l++) {
        level[me] = l;
        last[l] = me;
        for (int i = 0; i < THREADS; i++) {
            if (i == me) continue;
            while (level[i] >= l && last[l] == me) sched_yield();
        }
    }
}
static void leave(int me) {
    level[me] = 0;
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
