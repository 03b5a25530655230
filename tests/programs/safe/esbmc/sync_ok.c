// what: a counter moves up and down in turn, by two condition variables
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int number;
static void *up(void *unused) {
    pthread_mutex_lock(&mutex);
    while (number > 0) pthread_cond_wait(&empty, &mutex);
    number++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&full);
    return NULL;
}
static void *down(void *unused) {
    pthread_mutex_lock(&mutex);
    while (number == 0) pthread_cond_wait(&full, &mutex);
    number--;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&empty);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, up, NULL);
    pthread_create(&b, NULL, down, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(number == 0);
    return 0;
}
