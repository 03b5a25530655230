// N threads move an input from one account to the next, under one lock an account, taken in the order of their numbers; the
// sum stays. With -DBAD only the first account is locked.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

extern int __VERIFIER_nondet_int(void);
static int account[N];
static pthread_mutex_t lock[N];

static void *transfer(void *argument) {
    int from = (int)(long)argument, to = (from + 1) % N;
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 100) return NULL;
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&lock[first]);
#ifndef BAD
    pthread_mutex_lock(&lock[second]);
#endif
    account[from] -= amount;
    account[to] += amount;
#ifndef BAD
    pthread_mutex_unlock(&lock[second]);
#endif
    pthread_mutex_unlock(&lock[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_mutex_init(&lock[i], NULL);
    for (int i = 0; i < N; i++) account[i] = 100;
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, transfer, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < N; i++) sum += account[i];
    assert(sum == 100 * N);
    return 0;
}
