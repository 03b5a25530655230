// A stack in an array under a lock: one thread pushes N numbers, another one pops if there is one, N times. With -DBAD it
// takes one that is not there, if it comes first. A family of SV-COMP (pthread/stack).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif

static int top, values[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *pushing(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        assert(top < N);
        values[top++] = i;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *popping(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
#ifndef BAD
        if (top > 0)
#endif
        {
            assert(top > 0);
            assert(values[--top] >= top);
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pushing, NULL);
    pthread_create(&b, NULL, popping, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
