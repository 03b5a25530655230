// what: the data is written after the unlock, although before the signal: the wake-up does not order it
// expect: race=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready, data;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_mutex_unlock(&mutex);
    data = 1; //~ RACE
    pthread_cond_signal(&ready);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_ready) pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    int seen = data; //~ RACE
    pthread_join(thread, NULL);
    return seen > 1;
}
