// N dining philosophers, each of whom eats once. With -DBAD everybody takes the left fork first: a deadlock. Without, the
// last one takes the other first.
#include <pthread.h>

#ifndef N
#define N 5
#endif

static pthread_mutex_t fork_of[N];
static int meals[N];

static void *philosopher(void *argument) {
    long me = (long)argument, first = me, second = (me + 1) % N;
#ifndef BAD
    if (first > second) {
        first = second;
        second = me;
    }
#endif
    pthread_mutex_lock(&fork_of[first]);
    pthread_mutex_lock(&fork_of[second]);
    meals[me]++;
    pthread_mutex_unlock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_mutex_init(&fork_of[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
