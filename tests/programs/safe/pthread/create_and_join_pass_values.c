// what: arguments go in, results come out, and what the child did is seen after the join
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static int seen;
static void *child(void *argument) {
    seen = *(int *)argument;
    return (void *)(long)(seen + 1);
}

int main(void) {
    pthread_t thread;
    int value = 41;
    void *result;
    assert(pthread_create(&thread, NULL, child, &value) == 0);
    assert(pthread_join(thread, &result) == 0);
    assert((long)result == 42 && seen == 41);
    return 0;
}
