// N threads add to a variable under its lock, and expect it to be larger by one afterwards; another thread adds to it as well.
// With -DBAD that one holds the wrong lock. A family of the SCT benchmarks (wronglock).
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int data;
#ifdef BAD
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
#define LAST wrong
#else
#define LAST right
#endif

static void *careful(void *unused) {
    pthread_mutex_lock(&right);
    int seen = data;
    data = seen + 1;
    assert(data == seen + 1);
    pthread_mutex_unlock(&right);
    return unused;
}

static void *last(void *unused) {
    pthread_mutex_lock(&LAST);
    data++;
    pthread_mutex_unlock(&LAST);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, careful, NULL);
    pthread_create(&threads[N], NULL, last, NULL);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
