// what: a signal handler is installed
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
#include <signal.h>

static void handler(int number) { (void)number; }

int main(void) {
    signal(SIGUSR1, handler); //~ UNSUPPORTED
    return 0;
}
