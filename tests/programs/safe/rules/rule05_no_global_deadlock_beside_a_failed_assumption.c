// what: main joins a thread that stands at a failed assumption: not a deadlock
// expect: assert=ok
#include <pthread.h>
#include <raddle.h>

static void *child(void *unused) {
    raddle_assume(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
