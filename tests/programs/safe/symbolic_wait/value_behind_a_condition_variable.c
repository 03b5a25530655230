// what: a value of 32 bits is handed over under a condition variable, whose waits end spuriously any number of times
// expect: assert=ok race=ok deadlock=ok
// proved: order
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int is_full;
static unsigned slot, sent;

static void *producer(void *unused) {
    unsigned value = raddle_any_uint();
    pthread_mutex_lock(&mutex);
    sent = value;
    slot = value ^ 0x5a5a5a5a;
    is_full = 1;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_full) pthread_cond_wait(&full, &mutex);
    assert((slot ^ 0x5a5a5a5a) == sent);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
