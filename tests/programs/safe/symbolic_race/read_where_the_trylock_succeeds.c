// what: the value is read only where the mutex was taken
// expect: race=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, writer, NULL);
    if (pthread_mutex_trylock(&mutex) == 0) {
        seen = value;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return seen;
}
