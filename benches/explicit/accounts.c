/* Threads that move money between two accounts, each under its own lock, and keep a log under a third. */
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int balance_a = 10, balance_b = 10, moved, entries;
static void *worker(void *p) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&a); balance_a--; int left = balance_a; pthread_mutex_unlock(&a);
        pthread_mutex_lock(&b); balance_b++; pthread_mutex_unlock(&b);
        if (left >= 0) { pthread_mutex_lock(&log_lock); entries++; moved += 1; pthread_mutex_unlock(&log_lock); }
    }
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(balance_a + balance_b == 20);
    return 0;
}
