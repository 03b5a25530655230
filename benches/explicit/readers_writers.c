/* READERS and WRITERS of a pair of numbers that must be equal, under a read-write lock, for ever. The numbers go round
 * modulo M. readers_writers.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef M
#define M 3
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int one, two;

static void *reader(void *unused) {
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        int seen = one;
        assert(seen == two);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *writer(void *unused) {
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        one = (one + 1) % M;
        two = (two + 1) % M;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[READERS + WRITERS];
    for (int i = 0; i < READERS; i++) pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i < WRITERS; i++) pthread_create(&threads[READERS + i], NULL, writer, NULL);
    for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], NULL);
    return 0;
}
