// what: three philosophers who all take the left fork first
// expect: deadlock=violated
// schedules: 2000
#include <pthread.h>

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS];
static void *dine(void *argument) {
    long seat = (long)argument;
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % SEATS]); //~ DEADLOCK
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[seat]);
    return NULL;
}

int main(void) {
    pthread_t philosophers[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < SEATS; i++) pthread_create(&philosophers[i], NULL, dine, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(philosophers[i], NULL);
    return 0;
}
