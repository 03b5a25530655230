// what: two threads swap two shared pointers under a mutex: both objects stay reachable
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int objects[2] = {1, 2};
static int *_Atomic left = &objects[0], *_Atomic right = &objects[1];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *swapper(void *unused) {
    pthread_mutex_lock(&mutex);
    int *kept = left;
    left = right;
    right = kept;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, swapper, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int *a = left, *b = right;
    assert(*a + *b == 3);
    return 0;
}
