// what: a thread that waits for signals gets any of the set, at any time, and is no deadlock
// expect: assert=ok deadlock=ok
// options: --property assert --property deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static sigset_t set;

static void *serve(void *unused) {
    int number = 0;
    assert(sigwait(&set, &number) == 0);
    assert(number == SIGINT || number == SIGTERM);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = SIG_IGN}, old;
    struct timespec second = {1, 0};
    assert(sigaction(SIGPIPE, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    assert(sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
    assert(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, serve, NULL);
    int number = sigtimedwait(&set, NULL, &second);
    assert(number == SIGINT || number == SIGTERM || (number == -1 && errno == EAGAIN));
    pthread_join(thread, NULL);
    return 0;
}
