// what: the mutex is released between the read and the write: no race, but a lost update
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex);
    int seen = counter;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    counter = seen + 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
