// what: SIGKILL and SIGSTOP cannot be ignored, and two signals are glibc's own
// expect: assert=ok
// output: 22 22 22\n-1 -1 0 0\n0 0 1\n
// exit: 0
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static int refused(int number) {
    errno = 0;
    return signal(number, SIG_IGN) == SIG_ERR ? errno : 0;
}

int main(void) {
    sigset_t set;
    printf("%d %d %d\n", refused(SIGKILL), refused(SIGSTOP), refused(33));
    sigemptyset(&set);
    printf("%d %d %d %d\n", sigaddset(&set, 32), sigdelset(&set, 33), sigaddset(&set, 34), refused(SIGUSR1));
    sigfillset(&set);
    printf("%d %d %d\n", sigismember(&set, 32), sigismember(&set, 33), sigismember(&set, 34));
    return 0;
}
