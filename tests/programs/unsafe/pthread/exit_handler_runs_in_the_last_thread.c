// what: main leaves by pthread_exit; the handler of atexit runs when the last thread has ended
// expect: assert=violated
// why: POSIX, pthread_exit: as if exit(0) were called at the end of the last thread
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;
static void handler(void) {
    assert(done == 0); //~ ASSERT
}
static void *child(void *unused) {
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, child, NULL);
    pthread_exit(NULL);
}
