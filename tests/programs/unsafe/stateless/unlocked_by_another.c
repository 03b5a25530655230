// what: main holds the mutex that the child gives back
// expect: locks=violated
// why: main locks before it creates; preemptions: 0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *give(void *unused) {
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, give, NULL);
    pthread_join(a, NULL);
    return 0;
}
