// what: the data is written after the mutex was released: the lock does not cover it
// expect: race=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    data = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&mutex);
    int seen = data; //~ RACE
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen > 1;
}
