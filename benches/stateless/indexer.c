// N threads enter four words each into a hash table of 128 places by compare-exchange; from the twelfth thread on, some
// meet. Flanagan and Godefroid's example (POPL 2005).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define PLACES 128
#define WORDS 4

static atomic_int place[PLACES];

static void *enter(void *own) {
    for (int round = 1; round <= WORDS; round++) {
        int word = round * 11 + (int)(long)own;
        int at = word * 7 % PLACES;
        int empty = 0;
        while (!atomic_compare_exchange_strong(&place[at], &empty, word)) {
            at = (at + 1) % PLACES;
            empty = 0;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
