// what: the owner of the mutex has finished: a local deadlock of one thread
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *keeper(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, keeper, NULL);
    pthread_create(&b, NULL, keeper, NULL);
    return 0;
}
