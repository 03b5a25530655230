// what: a barrier of zero bytes was never initialised
// expect: locks=violated
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_wait(&barrier); //~ LOCKS
    return 0;
}
