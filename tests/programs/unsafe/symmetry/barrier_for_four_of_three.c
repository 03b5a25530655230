// what: three equal threads wait at a barrier for four
// expect: deadlock=violated
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
