// what: two philosophers; both take the fork with the smaller number first
// expect: deadlock=ok
#include <pthread.h>

enum { N = 2 };
static pthread_mutex_t forks[N];
static void *philosopher(void *argument) {
    long me = (long)argument, first = me, second = (me + 1) % N;
    if (second < first) first = second, second = me;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
