/* Philosophers sit at a round table with a fork between each two. Each takes the
 * fork on the left, then the one on the right, eats and puts both back. If all
 * take their left fork at once, no right fork remains, and all wait forever.
 *
 * $ raddle check examples/dining_philosophers.c
 */
#include <pthread.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void *philosopher(void *seat)
{
    int left = *(int *)seat;
    int right = (left + 1) % PHILOSOPHERS;

    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    meals[left]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
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
