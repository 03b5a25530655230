// A buffer of one place with a condition variable: one thread puts N numbers, another one takes them and expects their
// order. With -DBAD the number is stored after the announcement.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static int full, value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *put(void *unused) {
    for (int i = 1; i <= N; i++) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&changed, &mutex);
#ifndef BAD
        value = i;
#endif
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
#ifdef BAD
        value = i;
#endif
    }
    return unused;
}

static void *take(void *unused) {
    for (int i = 1; i <= N; i++) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&changed, &mutex);
        assert(value == i);
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
