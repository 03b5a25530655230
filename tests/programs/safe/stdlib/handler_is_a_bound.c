// what: a handler that is installed and never raised: when signals arrive is left out, so nothing is proved
// expect: assert=ok race=ok
// explicit: all=bounded (handlers run only by raise)
// says: signal handlers run only where a thread calls raise()
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t stop;

static void on_signal(int number) { stop = number; }

int main(void) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    assert(sigaction(SIGTERM, &action, 0) == 0);
    action.sa_handler = SIG_IGN;
    assert(sigaction(SIGTERM, &action, &before) == 0 && before.sa_handler == on_signal);
    return 0;
}
