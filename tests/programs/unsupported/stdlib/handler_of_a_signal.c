// what: a handler of a signal is not modelled
// expect: assert=unknown
// options: --property assert
#include <signal.h>
#include <stddef.h>

static void handle(int number) {}

int main(void) {
    struct sigaction action = {.sa_handler = handle};
    return sigaction(SIGUSR1, &action, NULL); //~ UNSUPPORTED
}
