// what: two threads add tenths; the sum is compared exactly
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum;
static void *adder(void *argument) {
    pthread_mutex_lock(&mutex);
    sum += *(double *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    double one = 0.1, two = 0.2;
    pthread_create(&thread, NULL, adder, &one);
    adder(&two);
    pthread_join(thread, NULL);
    double difference = sum - 0.3;
    assert(difference == 0); //~ ASSERT
    return 0;
}
