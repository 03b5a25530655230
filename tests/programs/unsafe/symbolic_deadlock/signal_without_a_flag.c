// what: the waiter waits without a flag: a signal that came before is lost
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex); //~ DEADLOCK
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
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
