// N threads insert two keys each into a hash table by compare-exchange, with linear probing. No key is lost. With -DBAD a
// place is claimed by a load and a store. Known as indexer (Flanagan and Godefroid, POPL 2005).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define SIZE (2 * N + 1)

static atomic_int table[SIZE];

static void *insert(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < 2; i++) {
        int key = me * 2 + i + 1, at = key / 2 % SIZE;
        for (int j = 0; j < SIZE; j++) {
#ifdef BAD
            int zero = atomic_load(&table[at]);
            if (!zero) atomic_store(&table[at], key);
#else
            int zero = 0;
            atomic_compare_exchange_strong(&table[at], &zero, key);
#endif
            if (!zero) break;
            at = (at + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, insert, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    int count = 0;
    for (int i = 0; i < SIZE; i++) count += atomic_load(&table[i]) != 0;
    assert(count == 2 * N);
    return 0;
}
