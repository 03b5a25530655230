// what: an atomic section protects only against other sections
// expect: race=violated
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1; //~ RACE
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
