// what: a value is clamped by tests that a NaN does not pass
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double level;
static void *setter(void *unused) {
    double value = raddle_any_double();
    if (!(value > 0)) value = 0;
    if (value > 1) value = 1;
    pthread_mutex_lock(&mutex);
    level = value;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    pthread_mutex_lock(&mutex);
    assert(level >= 0 && level <= 1);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
