// what: main joins while it holds the mutex that the child waits for
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(thread, NULL); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return 0;
}
