// what: three philosophers who respect an order of the forks eat for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: no cycle of waiting is possible when everybody takes the lower fork first
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int user[3];
static void *philosopher(void *argument) {
    int me = (int)(long)argument, low = me, high = me + 1;
    if (me == 2) low = 0, high = 2;
    for (;;) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        user[low] = me;
        assert(user[low] == me);
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
