// what: main joins a thread while it holds, between two joins, what that thread needs
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(threads[1], NULL); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[2], NULL);
    return 0;
}
