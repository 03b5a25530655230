// what: a handler that is told who sent the signal is not run
// expect: assert=unknown
// options: --property assert
#include <signal.h>
#include <stddef.h>

static void handle(int number, siginfo_t *information, void *context) {}

int main(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    return raise(SIGUSR1); //~ UNSUPPORTED
}
