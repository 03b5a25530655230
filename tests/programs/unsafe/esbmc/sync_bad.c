// what: main does not wait until the counter is back at zero
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;
static void *up(void *unused) {
    pthread_mutex_lock(&mutex);
    number++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    number--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, up, NULL);
    pthread_mutex_lock(&mutex);
    assert(number == 0); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
}
