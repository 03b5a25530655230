// what: the waiter tests a flag under the mutex before it waits: an early signal does not matter
// expect: deadlock=ok
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_ready) pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
