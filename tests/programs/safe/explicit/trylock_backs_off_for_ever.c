// what: two threads take two mutexes in opposite order, but give up when the second one is taken
// expect: assert=ok
// engines: explicit
// why: nobody waits while it holds a mutex. No `proved` line: a try-lock that fails has an outcome without an edge of
// happens-before, so the race row may be no more than bounded
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        pthread_mutex_lock(&mutexes[me]);
        if (pthread_mutex_trylock(&mutexes[1 - me]) == 0) {
            owner = me;
            assert(owner == me);
            pthread_mutex_unlock(&mutexes[1 - me]);
        }
        pthread_mutex_unlock(&mutexes[me]);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
