// what: three philosophers; the last takes the right fork first
// expect: deadlock=ok
// schedules: 4000
#include <pthread.h>

enum { N = 3 };
static pthread_mutex_t forks[N];
static void *philosopher(void *argument) {
    long me = (long)argument, left = me, right = (me + 1) % N;
    if (me == N - 1) left = right, right = me;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
