// what: the waiter gives up one mutex and keeps another that the signaller needs
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void *signaller(void *unused) {
    pthread_mutex_lock(&outer); //~ DEADLOCK
    pthread_mutex_lock(&inner);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!is_ready) pthread_cond_wait(&ready, &inner); //~ DEADLOCK
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, NULL);
    return 0;
}
