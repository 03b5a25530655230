// N threads take the next place of an array under a lock and mark it. All places are marked once. With -DBAD the place is
// marked and left under the lock, but read before it.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int marks[N], next;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
#ifdef BAD
    int place = next;
    pthread_mutex_lock(&mutex);
#else
    pthread_mutex_lock(&mutex);
    int place = next;
#endif
    marks[place]++;
    next = place + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) assert(marks[i] == 1);
    return 0;
}
