// what: a double is written and read under a mutex: the reader sees the old or the new value
// expect: assert=ok race=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double position = 1.0;
static void *mover(void *unused) {
    double target = 1.7;
    pthread_mutex_lock(&mutex);
    position = target;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    double seen;
    pthread_create(&thread, NULL, mover, NULL);
    pthread_mutex_lock(&mutex);
    seen = position;
    pthread_mutex_unlock(&mutex);
    assert(seen == 1.0 || seen == 1.7);
    pthread_join(thread, NULL);
    return 0;
}
