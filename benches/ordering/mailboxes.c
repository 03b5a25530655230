// N numbers go through a chain of three threads, by mailboxes of one place with a flag each. They arrive in their order. With -DBAD
// the thread in the middle empties its mailbox before it has read it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int full[2], letter[2];

static void put(int box, int number) {
    while (atomic_load(&full[box]))
        ;
    atomic_store(&letter[box], number);
    atomic_store(&full[box], 1);
}

static int take(int box, int early) {
    while (!atomic_load(&full[box]))
        ;
    if (early) atomic_store(&full[box], 0);
    int number = atomic_load(&letter[box]);
    if (!early) atomic_store(&full[box], 0);
    return number;
}

static void *first(void *unused) {
    for (int i = 1; i <= N; i++) put(0, i);
    return unused;
}

static void *middle(void *unused) {
#ifdef BAD
    for (int i = 1; i <= N; i++) put(1, take(0, 1) * 2);
#else
    for (int i = 1; i <= N; i++) put(1, take(0, 0) * 2);
#endif
    return unused;
}

static void *last(void *unused) {
    for (int i = 1; i <= N; i++) assert(take(1, 0) == 2 * i);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, middle, NULL);
    pthread_create(&threads[2], NULL, last, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
