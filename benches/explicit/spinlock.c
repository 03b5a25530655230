/* N threads count modulo M under a test-and-test-and-set lock, for ever. spinlock.pml is the same, step by step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef M
#define M 4
#endif
static atomic_int lock;
static int counter;

static void *thread(void *unused) {
    for (;;) {
        while (lock || atomic_exchange(&lock, 1)) {
        }
        int next = (counter + 1) % M;
        counter = next;
        assert(counter == next);
        atomic_store(&lock, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    return 0;
}
