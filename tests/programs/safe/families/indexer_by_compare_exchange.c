// what: threads claim places of a hash table by compare-and-swap
// expect: assert=ok
// options: -DTHREADS=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
enum { SIZE = 128, MESSAGES = 4 };
static atomic_int table[SIZE];
static void *insert(void *argument) {
    int me = (int)(long)argument;
    for (int m = 1; m <= MESSAGES; m++) {
        int word = m * 11 + me, place = word * 7 % SIZE, expected = 0;
        while (!atomic_compare_exchange_strong(&table[place], &expected, word)) {
            place = (place + 1) % SIZE;
            expected = 0;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int count = 0;
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, insert, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++) count += table[i] != 0;
    assert(count == THREADS * MESSAGES);
    return 0;
}
