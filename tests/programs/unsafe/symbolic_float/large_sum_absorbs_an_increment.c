// what: an increment of one is absorbed by a large float
// expect: assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static float total;
static void *counts(void *unused) {
    pthread_mutex_lock(&mutex);
    float before = total;
    total += 1;
    assert(total > before); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    total = raddle_any_float();
    raddle_assume(total >= 0 && total <= 1e9f);
    pthread_create(&thread, NULL, counts, NULL);
    counts(NULL);
    pthread_join(thread, NULL);
    return 0;
}
