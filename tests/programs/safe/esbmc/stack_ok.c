// what: push and pop of a stack under a mutex never go out of bounds
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };
static int stack[SIZE], top;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *pusher(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        assert(top < SIZE);
        stack[top++] = i;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *popper(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&mutex);
        if (top > 0) assert(stack[--top] >= 0);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
