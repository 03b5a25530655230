// what: two of three equal threads block each other while the third runs for ever
// expect: deadlock=violated
// engines: explicit
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next, turns;

static void *worker(void *unused) {
    int rank = next++;
    if (rank == 2)
        for (;;) turns = !turns;
    pthread_mutex_lock(rank ? &a : &b);
    pthread_mutex_lock(rank ? &b : &a); //~ DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
