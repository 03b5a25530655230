// what: a thread initialises a mutex that another one locks, and nothing orders the two
// expect: race=violated locks=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex); //~ RACE LOCKS
    pthread_mutex_unlock(&mutex); //~ RACE LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_init(&mutex, NULL); //~ RACE LOCKS
    pthread_join(thread, NULL);
    return 0;
}
