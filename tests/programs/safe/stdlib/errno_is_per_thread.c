// what: each thread has its own errno
// expect: assert=ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *child(void *unused) {
    assert(errno == 0);
    errno = ENOMEM;
    return NULL;
}

int main(void) {
    pthread_t thread;
    errno = EINTR;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(errno == EINTR);
    return 0;
}
