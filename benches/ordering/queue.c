// A queue in an array under a lock: one thread appends N numbers, another one takes one if there is one, N times, and they
// come in their order. With -DBAD the end is moved under a lock of its own.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int first, end, values[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
#ifdef BAD
        int at = end++;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        values[at] = i + 1;
#else
        values[end] = i + 1;
        end++;
#endif
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *take(void *unused) {
    int last = 0;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (first < end) {
            int value = values[first++];
            assert(value == last + 1);
            last = value;
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
