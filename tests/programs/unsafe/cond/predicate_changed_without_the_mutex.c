// what: the flag is set without the mutex: a race, and the signal can fall between test and wait
// expect: race=violated deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void *signaller(void *unused) {
    is_ready = 1; //~ RACE
    pthread_cond_signal(&ready);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_ready) //~ RACE
        pthread_cond_wait(&ready, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
