// what: EBUSY of a barrier's destruction tells that another thread has arrived, and orders nothing
// expect: race=violated locks=violated deadlock=violated
#include <pthread.h>

static pthread_barrier_t barrier;
static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    pthread_barrier_wait(&barrier); //~ DEADLOCK LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    if (pthread_barrier_destroy(&barrier)) { //~ LOCKS
        data = 2; //~ RACE
    }
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
