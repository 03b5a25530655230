// what: a byte through a pipe wakes a thread that waits for it, and orders what was written before
// expect: assert=ok race=ok deadlock=ok
// proved: auto
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], message;

static void *receiver(void *unused) {
    char byte = 0;
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    assert(message == 7);
    assert(read(ends[0], &byte, 1) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(ends) < 0) return 1;
    pthread_create(&thread, 0, receiver, 0);
    message = 7;
    assert(write(ends[1], "x", 1) == 1);
    close(ends[1]);
    pthread_join(thread, 0);
    close(ends[0]);
    return 0;
}
