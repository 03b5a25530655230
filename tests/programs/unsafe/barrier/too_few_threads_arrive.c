// what: the barrier takes three, two arrive
// expect: deadlock=violated
#include <pthread.h>

static pthread_barrier_t barrier;
static void *child(void *unused) {
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, child, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
