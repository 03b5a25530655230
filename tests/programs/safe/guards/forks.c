// what: philosophers take forks in the heap in order and count their uses
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the order of the forks excludes a deadlock, and their locks keep the counts apart
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 3

struct fork {
    pthread_mutex_t lock;
    int uses;
};

static struct fork *forks[N];

static void *philosopher(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
    struct fork *first = forks[left < right ? left : right], *second = forks[left < right ? right : left];
    pthread_mutex_lock(&first->lock);
    first->uses++;
    pthread_mutex_lock(&second->lock);
    second->uses++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        forks[i] = malloc(sizeof *forks[i]);
        pthread_mutex_init(&forks[i]->lock, NULL);
        forks[i]->uses = 0;
    }
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) assert(forks[i]->uses == 2);
    return 0;
}
