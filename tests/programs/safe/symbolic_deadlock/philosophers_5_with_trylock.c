// what: five philosophers; each gives up if its second fork is taken
// expect: deadlock=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

enum { N = 5 };
static pthread_mutex_t forks[N];
static int meals[N];
static void *philosopher(void *argument) {
    long me = (long)argument;
    pthread_mutex_lock(&forks[me]);
    if (pthread_mutex_trylock(&forks[(me + 1) % N]) == 0) {
        meals[me]++;
        pthread_mutex_unlock(&forks[(me + 1) % N]);
    }
    pthread_mutex_unlock(&forks[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
