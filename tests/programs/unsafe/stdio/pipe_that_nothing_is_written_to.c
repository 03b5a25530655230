// what: a thread reads from a pipe to which nothing is written, and whose other end stays open
// expect: deadlock=violated
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *receiver(void *unused) {
    char byte;
    read(ends[0], &byte, 1); //~ DEADLOCK
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(ends) < 0) return 1;
    pthread_create(&thread, 0, receiver, 0);
    pthread_join(thread, 0); //~ DEADLOCK
    return 0;
}
