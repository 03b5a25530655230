// what: a callback takes the mutex of its caller again; the mutex is recursive
// expect: deadlock=ok locks=ok
#include <pthread.h>

static pthread_mutex_t mutex;
static int depth;
static void notify(void (*callback)(void)) {
    pthread_mutex_lock(&mutex);
    depth++;
    if (callback) callback();
    pthread_mutex_unlock(&mutex);
}
static void again(void) { notify(NULL); }
static void *child(void *unused) {
    notify(again);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    pthread_create(&thread, NULL, child, NULL);
    notify(NULL);
    pthread_join(thread, NULL);
    return 0;
}
