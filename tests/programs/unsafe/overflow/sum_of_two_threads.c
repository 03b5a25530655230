// what: each addition fits, both together do not
// expect: overflow=violated
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total = INT_MAX - 150;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    total += 100; //~ OVERFLOW
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
