// what: a mutex is destroyed while a thread holds it
// expect: locks=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex); //~ LOCKS
    pthread_mutex_unlock(&mutex);
    return 0;
}
