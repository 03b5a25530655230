// what: both threads wait at the barrier inside the critical section
// expect: deadlock=violated
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void phase(void) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    count++;
    pthread_barrier_wait(&barrier); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
}
static void *child(void *unused) {
    phase(); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    phase(); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
