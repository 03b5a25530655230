// A ring buffer of four cells between one producer and one consumer, without locks: N values arrive in their order. With
// -DBAD the producer publishes a cell before it is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#define CELLS 4

static atomic_int head, tail, cell[CELLS];

static void *produce(void *unused) {
    for (int i = 0; i < N; i++) {
        while (i - atomic_load(&head) >= CELLS)
            ;
#ifdef BAD
        atomic_store(&tail, i + 1);
        atomic_store(&cell[i % CELLS], i + 1);
#else
        atomic_store(&cell[i % CELLS], i + 1);
        atomic_store(&tail, i + 1);
#endif
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < N; i++) {
        while (atomic_load(&tail) <= i)
            ;
        assert(atomic_load(&cell[i % CELLS]) == i + 1);
        atomic_store(&head, i + 1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
