// what: threads draw numbers in blocks of their own and add them to bins with a lock each
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the lock has the same index as the bin
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 3
#define BINS 3

struct draw {
    int numbers[3];
};

static pthread_mutex_t locks[BINS];
static int bins[BINS], sums[BINS];

static void *count(void *argument) {
    struct draw *draw = malloc(sizeof *draw);
    for (int i = 0; i < 3; i++) draw->numbers[i] = (int)(long)argument + i;
    for (int i = 0; i < 3; i++) {
        int number = draw->numbers[i];
        unsigned bin = (unsigned)number % BINS;
        pthread_mutex_lock(&locks[bin]);
        bins[bin]++;
        sums[bin] += number;
        pthread_mutex_unlock(&locks[bin]);
    }
    free(draw);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, count, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < BINS; i++) assert(bins[i] == N);
    return 0;
}
