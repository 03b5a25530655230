// what: ignoring a signal and working with sets of signals
// expect: assert=ok
#include <assert.h>
#include <signal.h>
#include <stddef.h>

int main(void) {
    sigset_t set;
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) == 1 && sigismember(&set, SIGTERM) == 0);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    return 0;
}
