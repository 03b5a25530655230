/* Philosophers sit at a round table with a fork between each two. Each takes the
 * two forks in the order of their numbers: for the last philosopher that is the
 * right one first. No cycle of waiting is possible, so all eat.
 *
 * $ raddle check examples/dining_philosophers_fixed.c
 */
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *philosopher(void *seat)
{
    int left = *(int *)seat;
    int right = (left + 1) % PHILOSOPHERS;
    int lower = left < right ? left : right;
    int higher = left < right ? right : left;

    pthread_mutex_lock(&forks[lower]);
    pthread_mutex_lock(&forks[higher]);
    meals[left]++;
    pthread_mutex_unlock(&forks[higher]);
    pthread_mutex_unlock(&forks[lower]);
    return NULL;
}

int main(void)
{
    pthread_t philosophers[PHILOSOPHERS];
    int seats[PHILOSOPHERS];

    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++) {
        seats[i] = i;
        pthread_create(&philosophers[i], NULL, philosopher, &seats[i]);
    }
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(philosophers[i], NULL);
    return 0;
}
