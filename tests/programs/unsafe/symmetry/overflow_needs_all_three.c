// what: the sum overflows only when all three of equal threads have added
// expect: overflow=violated
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum = INT_MAX - 2;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    sum++; //~ OVERFLOW
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
