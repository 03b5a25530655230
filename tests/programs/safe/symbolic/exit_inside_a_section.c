// what: a thread ends the process inside an atomic section: no thread continues, so its write is never seen
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1;
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    raddle_atomic_begin();
    assert(x == 0);
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
