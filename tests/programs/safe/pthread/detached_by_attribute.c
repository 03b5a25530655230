// what: a thread created detached needs no join
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, child, NULL);
    pthread_attr_destroy(&attributes);
    pthread_mutex_lock(&mutex);
    assert(count == 0 || count == 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}
