// what: the mutex is given back between reading and writing
// expect: assert=violated
// why: a switch between the two sections of one thread; preemptions: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    int value = x;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    x = value + 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); //~ ASSERT
    return 0;
}
