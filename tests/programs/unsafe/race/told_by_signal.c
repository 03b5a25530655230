// what: signal gives what another thread has set, and orders nothing
// expect: race=violated
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <fcntl.h>

static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    signal(SIGUSR1, SIG_IGN);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    void (*before)(int) = signal(SIGUSR1, SIG_DFL);
    if (before == SIG_IGN) data = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
