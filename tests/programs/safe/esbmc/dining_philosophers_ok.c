// what: three philosophers who take the fork with the lower number first
// expect: assert=ok
#include <pthread.h>

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS];
static void *dine(void *argument) {
    long left = (long)argument, right = (left + 1) % SEATS;
    long low = left < right ? left : right, high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void) {
    pthread_t philosophers[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < SEATS; i++) pthread_create(&philosophers[i], NULL, dine, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(philosophers[i], NULL);
    return 0;
}
