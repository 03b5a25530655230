// what: each round of a polling loop has another local variable; a shared pointer still names that of an earlier one
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *seen, stage, stop;

static void round_of_the_loop(void) {
    int own;
    if (!seen && stage < 3) seen = &own;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    if (seen && seen != &own) {
        stage++;
        seen = NULL;
    }
    assert(stage < 3);
}

static void *poller(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!stop) round_of_the_loop();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, poller, NULL);
    pthread_mutex_lock(&mutex);
    stop = seen != NULL;
    stage = stage;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
