// what: three philosophers; each takes its left fork first
// expect: deadlock=violated
// schedules: 4000
#include <pthread.h>

enum { N = 3 };
static pthread_mutex_t forks[N];
static void *philosopher(void *argument) {
    long me = (long)argument, left = me, right = (me + 1) % N;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); //~ DEADLOCK
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL); //~ DEADLOCK
    return 0;
}
