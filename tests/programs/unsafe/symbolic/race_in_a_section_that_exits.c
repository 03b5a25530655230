// what: the process ends inside the section; the update before that races with a plain write that came earlier
// expect: race=violated
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x++; //~ RACE
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x = 1; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
