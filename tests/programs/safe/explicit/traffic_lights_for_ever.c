// what: two traffic lights at a crossing, each waits until the other is red, for ever
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: a light turns green only under the mutex and only if no light is
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t red = PTHREAD_COND_INITIALIZER;
static int green[2];
static void *light(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (green[1 - me]) pthread_cond_wait(&red, &mutex);
        green[me] = 1;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        assert(green[me] && !green[1 - me]);
        green[me] = 0;
        pthread_cond_signal(&red);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, light, (void *)0);
    pthread_create(&b, NULL, light, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
