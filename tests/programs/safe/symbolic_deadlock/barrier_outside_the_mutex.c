// what: both threads leave their critical section before they wait at the barrier
// expect: deadlock=ok
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void phase(void) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
}
static void *child(void *unused) {
    phase();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    phase();
    pthread_join(thread, NULL);
    return 0;
}
