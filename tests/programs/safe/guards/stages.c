// what: a pipeline of counters, each with a lock in its structure
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: every stage is changed under its own lock
#include <assert.h>
#include <pthread.h>
#define N 2

struct stage {
    pthread_mutex_t lock;
    int items, seen;
};

static struct stage stages[N + 1];

static void *work(void *argument) {
    long i = (long)argument;
    struct stage *from = &stages[i], *to = &stages[i + 1];
    for (int round = 0; round < 2; round++) {
        int taken = 0;
        pthread_mutex_lock(&from->lock);
        if (from->items > 0) {
            from->items--;
            from->seen++;
            taken = 1;
        }
        pthread_mutex_unlock(&from->lock);
        if (taken) {
            pthread_mutex_lock(&to->lock);
            to->items++;
            pthread_mutex_unlock(&to->lock);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    stages[0].items = 2;
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int all = 0;
    for (int i = 0; i <= N; i++) all += stages[i].items;
    assert(all == 2);
    return 0;
}
