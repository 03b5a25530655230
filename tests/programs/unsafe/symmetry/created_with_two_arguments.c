// what: two calls create threads of one function with the addresses of two variables: which comes first can be seen
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int odd = 1, even = 2, trail;

static void *worker(void *argument) {
    int *digit = argument;
    pthread_mutex_lock(&mutex);
    trail = 4 * trail + *digit;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &odd);
    pthread_create(&threads[2], NULL, worker, &even);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(trail != 4 * (4 * 2 + 1) + 1); //~ ASSERT
    return 0;
}
