// what: a thread knows its own id, and ids differ
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static pthread_t from_child;
static void *child(void *unused) {
    from_child = pthread_self();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(pthread_equal(from_child, thread));
    assert(!pthread_equal(pthread_self(), thread));
    return 0;
}
