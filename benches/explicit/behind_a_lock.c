/* One variable under different locks, behind a common one that was given back in between: no lock discipline. */
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 4
#endif
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;
static void *one(void *a) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&outer);
        pthread_mutex_lock(&left); x++; y++; pthread_mutex_unlock(&left);
        x++;
        pthread_mutex_unlock(&outer);
    }
    return 0;
}
static void *two(void *a) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&outer);
        pthread_mutex_lock(&right); x++; z++; pthread_mutex_unlock(&right);
        pthread_mutex_unlock(&outer);
    }
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, i % 2 ? one : two, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(x == N / 2 * 6);
    return 0;
}
