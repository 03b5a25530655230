// what: a signal that is ignored is no bound, though threads are created by pointers to functions
// expect: assert=ok race=ok
// proved: auto
// silent: signal handlers run only
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &action, 0);
    assert(signal(SIGHUP, SIG_IGN) == SIG_DFL && raise(SIGHUP) == 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
