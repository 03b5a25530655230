// what: pthread_tryjoin_np says EBUSY while the thread runs; a timed join may time out
// expect: assert=ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int done;
static void *child(void *unused) {
    done = 1;
    return (void *)3;
}

int main(void) {
    pthread_t thread;
    struct timespec soon = {1, 0};
    void *result = NULL;
    pthread_create(&thread, NULL, child, NULL);
    int error = pthread_tryjoin_np(thread, &result);
    assert(error == 0 || error == EBUSY);
    if (error) error = pthread_timedjoin_np(thread, &result, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (error) pthread_join(thread, &result);
    assert(done == 1 && result == (void *)3);
    return 0;
}
