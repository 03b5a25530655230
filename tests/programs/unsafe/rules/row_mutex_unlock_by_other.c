// what: another thread unlocks a normal mutex: a fault, and it is unlocked: both are inside
// expect: locks=violated race=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *child(void *unused) {
    pthread_mutex_unlock(&mutex); //~ LOCKS
    pthread_mutex_lock(&mutex); //~ LOCKS
    inside++; //~ RACE
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, child, NULL);
    inside++; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
