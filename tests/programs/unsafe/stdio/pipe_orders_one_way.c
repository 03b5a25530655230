// what: a pipe orders what was written before what is read, and nothing the other way round
// expect: race=violated
#include <pthread.h>
#include <unistd.h>

static int ends[2], seen;

static void *receiver(void *unused) {
    char byte;
    seen = 1; //~ RACE
    read(ends[0], &byte, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(ends) < 0) return 1;
    write(ends[1], "x", 1);
    pthread_create(&thread, 0, receiver, 0);
    write(ends[1], "y", 1);
    if (seen) write(ends[1], "z", 1); //~ RACE
    pthread_join(thread, 0);
    return 0;
}
