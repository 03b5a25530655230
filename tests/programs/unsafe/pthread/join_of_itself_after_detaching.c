// what: a detached thread that joins itself is told that it cannot be joined, not that it would wait for itself
// expect: locks=violated
// explicit: race=bounded (a failed join tells of a thread and orders nothing: rule 6)
// why: glibc looks at the detach state first. POSIX leaves both undefined; an assertion on the result holds natively.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *body(void *argument) {
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    assert(pthread_detach(pthread_self()) == 0);
    assert(pthread_join(pthread_self(), 0) == EINVAL); //~ LOCKS
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_exit(0);
}
