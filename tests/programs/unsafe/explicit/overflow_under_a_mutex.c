// what: two threads count under a mutex from just below the largest integer
// expect: overflow=violated
// why: the second increment overflows, in every order
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter = INT_MAX - 1;
static void *thread(void *unused) {
    pthread_mutex_lock(&mutex);
    counter++; //~ OVERFLOW
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
