// what: values under one key are apart for each thread, and start as null
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static void *child(void *argument) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, argument);
    assert(pthread_getspecific(key) == argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int a, b;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &a);
    pthread_create(&thread, NULL, child, &b);
    assert(pthread_getspecific(key) == &a);
    pthread_join(thread, NULL);
    assert(pthread_getspecific(key) == &a);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
