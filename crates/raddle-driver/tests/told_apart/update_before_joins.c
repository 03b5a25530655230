// what: before the joins main updates a counter, and what it finds there decides whom it joins first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets, mark;

static void *worker(void *unused) {
    if (tickets++ == 0) {
        mark = 5;
        for (;;) tickets = 7;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    if (mark++ == 5) {
        pthread_join(threads[1], NULL);
        assert(0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
