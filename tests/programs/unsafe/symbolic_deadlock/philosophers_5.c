// what: five philosophers; each takes its left fork first
// expect: deadlock=violated
// schedules: 50000
#include <pthread.h>

enum { N = 5 };
static pthread_mutex_t forks[N];
static int meals[N];
static void *philosopher(void *argument) {
    long me = (long)argument;
    pthread_mutex_lock(&forks[me]);
    pthread_mutex_lock(&forks[(me + 1) % N]); //~ DEADLOCK
    meals[me]++;
    pthread_mutex_unlock(&forks[(me + 1) % N]);
    pthread_mutex_unlock(&forks[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL); //~ DEADLOCK
    return 0;
}
