// what: three philosophers take the left fork first, for ever
// expect: deadlock=violated
// engines: explicit
// why: all have their left fork and wait for the right one
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *philosopher(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        pthread_mutex_lock(&forks[me]);
        pthread_mutex_lock(&forks[(me + 1) % 3]); //~ DEADLOCK
        pthread_mutex_unlock(&forks[(me + 1) % 3]);
        pthread_mutex_unlock(&forks[me]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
