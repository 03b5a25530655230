// what: Burns' algorithm with one bit a thread
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 2 };
static atomic_int flag[THREADS];
static void enter(int me) {
    again:
    flag[me] = 0;
    for (int i = 0; i < me; i++)
        if (flag[i]) {
            sched_yield();
            goto again;
        }
    flag[me] = 1;
    for (int i = 0; i < me; i++)
        if (flag[i]) {
            sched_yield();
            goto again;
        }
    for (int i = me + 1; i < THREADS; i++)
        while (flag[i]) sched_yield();
}
static void leave(int me) {
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
