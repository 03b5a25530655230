// what: four philosophers; a semaphore admits three to the table
// expect: deadlock=ok
// schedules: 20000
#include <pthread.h>
#include <semaphore.h>

enum { N = 4 };
static pthread_mutex_t forks[N];
static sem_t seats;
static void *philosopher(void *argument) {
    long me = (long)argument;
    sem_wait(&seats);
    pthread_mutex_lock(&forks[me]);
    pthread_mutex_lock(&forks[(me + 1) % N]);
    pthread_mutex_unlock(&forks[(me + 1) % N]);
    pthread_mutex_unlock(&forks[me]);
    sem_post(&seats);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    sem_init(&seats, 0, N - 1);
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
