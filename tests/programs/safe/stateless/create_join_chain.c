// what: main creates a thread that creates a thread
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>

static int x;
static void *inner(void *unused) {
    x++;
    return NULL;
}
static void *outer(void *unused) {
    pthread_t thread;
    x++;
    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    x++;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, outer, NULL);
    pthread_join(a, NULL);
    assert(x == 3);
    return 0;
}
