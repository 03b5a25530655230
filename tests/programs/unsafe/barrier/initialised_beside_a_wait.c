// what: a barrier is initialised a second time while another thread may arrive at it
// expect: race=violated locks=violated deadlock=violated
#include <pthread.h>

static pthread_barrier_t barrier;
static void *child(void *unused) {
    pthread_barrier_wait(&barrier); //~ RACE DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    pthread_barrier_init(&barrier, NULL, 3); //~ RACE LOCKS
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
