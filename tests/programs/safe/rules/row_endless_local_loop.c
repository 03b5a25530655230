// what: a thread that loops for ever on its own is not a deadlock
// expect: assert=ok
#include <pthread.h>

static void *child(void *unused) {
    for (volatile int i = 0;; i = 0) {}
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    return 0;
}
