// what: each thread stores its index in a global; main finds there who was last
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last = -1;

static void *worker(void *argument) {
    int index = (int)(intptr_t)argument;
    pthread_mutex_lock(&mutex);
    last = index;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(last != 0); //~ ASSERT
    return 0;
}
