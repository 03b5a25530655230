// N threads put two words each into a hash table with open addressing, one lock for each place. With -DBAD a place is tested
// before its lock is taken, and a word can be overwritten.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

enum { SIZE = 8, WORDS = 2 };
static int table[SIZE];
static pthread_mutex_t locks[SIZE];

static void *insert(void *argument) {
    int me = (int)(long)argument;
    for (int m = 1; m <= WORDS; m++) {
        int word = m * 11 + me, place = word * 8 % SIZE;
        for (int done = 0; !done; place = (place + 1) % SIZE) {
#ifdef BAD
            int vacant = table[place] == 0;
            pthread_mutex_lock(&locks[place]);
#else
            pthread_mutex_lock(&locks[place]);
            int vacant = table[place] == 0;
#endif
            if (vacant) {
                table[place] = word;
                done = 1;
            }
            pthread_mutex_unlock(&locks[place]);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int count = 0;
    for (int i = 0; i < SIZE; i++) pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, insert, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++) count += table[i] != 0;
    assert(count == N * WORDS);
    return 0;
}
