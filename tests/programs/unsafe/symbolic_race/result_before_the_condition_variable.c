// what: the result is written after the signal, outside of the mutex
// expect: race=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int is_done, result;
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    is_done = 1;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&mutex);
    result = 7; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_done) pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    int seen = result; //~ RACE
    pthread_join(thread, NULL);
    return seen;
}
