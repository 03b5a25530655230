// what: the result is written and read under the mutex of the condition variable
// expect: race=ok
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int is_done, result;
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    result = 7;
    is_done = 1;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_done) pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    int seen = result;
    pthread_join(thread, NULL);
    return seen;
}
