// what: a mutex is initialised before the thread that locks it is created, and again after it was joined
// expect: race=ok locks=ok
// proved: explicit stateless
#include <pthread.h>

static pthread_mutex_t mutex;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&mutex, NULL);
        pthread_create(&thread, NULL, child, NULL);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
        pthread_mutex_destroy(&mutex);
    }
    return 0;
}
