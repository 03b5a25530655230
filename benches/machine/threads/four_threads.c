// Four threads that share a counter under a mutex, an atomic and an array; each with work of its own in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS = 500, THREADS = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int tickets;
static int results[THREADS];

static void *work(void *argument) {
    int *result = argument;
    int table[16] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
        int ticket = atomic_fetch_add(&tickets, 1);
        for (int k = 0; k < 16; k++) table[k] = (table[k] * 5 + ticket + k) & 0xffff;
        *result = table[ticket & 15];
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, &results[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%d %d\n", counter, tickets);
    return 0;
}
