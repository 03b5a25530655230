// what: threads put messages into a hash table, one mutex a place
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { SIZE = 8, THREADS = 2, MESSAGES = 2 };
static int table[SIZE];
static pthread_mutex_t locks[SIZE];
static void *insert(void *argument) {
    int me = (int)(long)argument;
    for (int m = 1; m <= MESSAGES; m++) {
        int word = m * 11 + me, place = word * 7 % SIZE;
        for (int done = 0; !done;) {
            pthread_mutex_lock(&locks[place]);
            if (table[place] == 0) {
                table[place] = word;
                done = 1;
            }
            pthread_mutex_unlock(&locks[place]);
            place = (place + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int count = 0;
    for (int i = 0; i < SIZE; i++) pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, insert, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++) count += table[i] != 0;
    assert(count == THREADS * MESSAGES);
    return 0;
}
