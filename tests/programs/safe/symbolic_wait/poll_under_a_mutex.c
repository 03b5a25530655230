// what: a loop that takes a mutex, looks and gives it back, until another thread has stored a value of 32 bits
// expect: assert=ok race=ok deadlock=ok
// proved: order
// explicit: all=unknown (32 bits of input)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_done;
static unsigned result, argument;

static void *worker(void *unused) {
    unsigned value = raddle_any_uint();
    pthread_mutex_lock(&mutex);
    argument = value;
    result = value * 2;
    is_done = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int done = is_done;
        pthread_mutex_unlock(&mutex);
        if (done) break;
    }
    assert(result == argument + argument);
    pthread_join(thread, NULL);
    return 0;
}
