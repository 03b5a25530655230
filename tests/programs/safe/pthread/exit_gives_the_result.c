// what: pthread_exit deep inside a thread gives its result to the join
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static void deep(int n) {
    if (n == 0) pthread_exit((void *)99);
    deep(n - 1);
}
static void *child(void *unused) {
    deep(3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, &result);
    assert(result == (void *)99);
    return 0;
}
