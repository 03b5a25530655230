// what: the maximum of two sensors; a NaN is never greater, so it is never taken
// expect: assert=ok race=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static float maximum = 0;
static void *sensor(void *unused) {
    float value = raddle_any_float();
    pthread_mutex_lock(&mutex);
    if (value > maximum) maximum = value;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, sensor, NULL);
    pthread_create(&second, NULL, sensor, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(maximum >= 0);
    return 0;
}
