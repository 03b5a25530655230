// what: a callback takes the mutex of its caller again; the mutex is not recursive
// expect: deadlock=violated locks=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int depth;
static void notify(void (*callback)(void)) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK LOCKS
    depth++;
    if (callback) callback(); //~ DEADLOCK LOCKS
    pthread_mutex_unlock(&mutex);
}
static void again(void) { notify(NULL); } //~ DEADLOCK LOCKS
static void *child(void *unused) {
    notify(again); //~ DEADLOCK LOCKS
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    notify(NULL); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
