// what: two threads add one input each to a sum: the sum of two does not depend on the order
// expect: assert=ok race=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

enum { N = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static float inputs[N], sum;
static void *adder(void *argument) {
    pthread_mutex_lock(&mutex);
    sum += *(float *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        inputs[i] = raddle_any_float();
        raddle_assume(inputs[i] >= 0 && inputs[i] <= 100);
        pthread_create(&threads[i], NULL, adder, &inputs[i]);
    }
    float expected = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        expected += inputs[i];
    }
    assert(sum == expected);
    return 0;
}
