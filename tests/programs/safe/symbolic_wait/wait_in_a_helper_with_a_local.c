// what: the wait is in a function whose local variable has its address taken: each round has another such object
// expect: assert=ok deadlock=ok
// proved: order
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned level, wanted;

static void read_level(unsigned *into) { *into = level; }

static int wait_once(void) {
    unsigned now;
    pthread_cond_wait(&changed, &mutex);
    read_level(&now);
    return now != 0;
}

static void *filler(void *unused) {
    unsigned value = raddle_any_uint();
    raddle_assume(value != 0);
    pthread_mutex_lock(&mutex);
    wanted = level = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, filler, NULL);
    while (!wait_once()) {
    }
    assert(level == wanted);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
