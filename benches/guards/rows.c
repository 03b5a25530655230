// Two stages: the rows of a matrix are filled by one thread each, joined, and added by other threads, row locks in an array.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif

static int cells[N][2];
static int sums[N];
static pthread_mutex_t locks[N];

static void *fill(void *argument) {
    long row = (long)argument;
    for (int i = 0; i < 2; i++) cells[row][i] = (int)row + i;
    return NULL;
}

static void add(int row, int number) {
    pthread_mutex_lock(&locks[row]);
    sums[row] += number;
    pthread_mutex_unlock(&locks[row]);
}

static void *spread(void *argument) {
    long row = (long)argument;
    add((int)row, cells[row][0]);
    add(((int)row + 1) % N, cells[row][1]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, spread, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int all = 0;
    for (int i = 0; i < N; i++) all += sums[i];
    assert(all == N * N);
    return 0;
}
