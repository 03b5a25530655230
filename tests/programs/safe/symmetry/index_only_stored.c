// what: each thread keeps its index and its argument's address in variables that nothing reads again
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *argument) {
    int index = (int)(intptr_t)argument;
    int kept = index;
    (void)kept;
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3] = {0};
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 3);
    return 0;
}
