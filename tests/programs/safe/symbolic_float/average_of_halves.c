// what: the average of two finite floats as the sum of their halves is finite
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <float.h>
#include <pthread.h>
#include <raddle.h>

static float samples[2], average;
static void *averages(void *unused) {
    average = samples[0] * 0.5f + samples[1] * 0.5f;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        samples[i] = raddle_any_float();
        raddle_assume(samples[i] >= -FLT_MAX && samples[i] <= FLT_MAX);
    }
    pthread_create(&thread, NULL, averages, NULL);
    pthread_join(thread, NULL);
    assert(average >= -FLT_MAX && average <= FLT_MAX);
    return 0;
}
