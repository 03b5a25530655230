// what: three counters with a spin lock each, in a block that the threads are given
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: every change holds the lock of its counter
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 2

struct counter {
    pthread_spinlock_t lock;
    int count, last;
};

struct all {
    struct counter a, b, c;
};

static void add(struct counter *counter, int number) {
    pthread_spin_lock(&counter->lock);
    counter->count += number;
    counter->last = number;
    pthread_spin_unlock(&counter->lock);
}

static void *thread(void *argument) {
    struct all *all = argument;
    add(&all->a, 1);
    add(&all->b, 1);
    add(&all->c, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    struct all *all = malloc(sizeof *all);
    pthread_spin_init(&all->a.lock, 0);
    pthread_spin_init(&all->b.lock, 0);
    pthread_spin_init(&all->c.lock, 0);
    all->a.count = all->b.count = all->c.count = 0;
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, all);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(all->a.count == N && all->b.count == N && all->c.count == N);
    return 0;
}
