// Two counters change together under a lock, by N threads that increase both and one that moves from the second to the
// first. With -DBAD that one protects the second counter with another lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int first = 10, second = 10;

static void *increase(void *unused) {
    pthread_mutex_lock(&one);
    first++;
    pthread_mutex_unlock(&one);
    pthread_mutex_lock(&one);
    second++;
    pthread_mutex_unlock(&one);
    return unused;
}

static void *move(void *unused) {
    pthread_mutex_lock(&one);
    first += 5;
#ifdef BAD
    pthread_mutex_unlock(&one);
#endif
    pthread_mutex_lock(&two);
    second -= 6;
    pthread_mutex_unlock(&two);
#ifndef BAD
    pthread_mutex_unlock(&one);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, increase, NULL);
    pthread_create(&threads[N], NULL, move, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    assert(first == 15 + N && second == 4 + N);
    return 0;
}
