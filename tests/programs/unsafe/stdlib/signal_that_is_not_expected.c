// what: a thread that waits for two signals is prepared for one
// expect: assert=violated
// options: --property assert
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

int main(void) {
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigwait(&set, &number);
    assert(number == SIGINT); //~ ASSERT
    return 0;
}
