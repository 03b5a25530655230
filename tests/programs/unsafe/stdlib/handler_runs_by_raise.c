// what: raise runs the handler of the signal before it returns, in the calling thread
// expect: assert=violated
// explicit: all=bounded (handlers run only by raise)
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void on_signal(int number) { seen = number; }

int main(void) {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    assert(seen == 0); //~ ASSERT
    return 0;
}
