// what: destructors get the value, run before the join returns, and again when they set a value
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key, other;
static int calls, freed;
static void again(void *value) {
    if (++calls < 3) pthread_setspecific(other, value);
}
static void release(void *value) {
    free(value);
    freed++;
}
static void *child(void *unused) {
    pthread_setspecific(key, malloc(4));
    pthread_setspecific(other, &calls);
    pthread_exit(NULL);
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, release);
    pthread_key_create(&other, again);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(freed == 1 && calls == 3);
    return 0;
}
