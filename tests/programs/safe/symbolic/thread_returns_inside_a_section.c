// what: the return of a thread function ends its atomic section, and releases it for the next one
// expect: race=ok
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    raddle_atomic_begin();
    x = 2;
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
