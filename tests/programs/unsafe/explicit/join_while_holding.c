// what: main joins a thread that needs the mutex main holds
// expect: deadlock=violated
// why: unless the thread is through before, each waits for the other
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(t, NULL); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return 0;
}
