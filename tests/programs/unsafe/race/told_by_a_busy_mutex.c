// what: EBUSY of a mutex's destruction tells that another thread holds it, and orders nothing
// expect: race=violated locks=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    pthread_mutex_lock(&mutex); //~ LOCKS
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    if (pthread_mutex_destroy(&mutex)) { //~ LOCKS
        data = 2; //~ RACE
    }
    pthread_join(thread, NULL);
    return 0;
}
