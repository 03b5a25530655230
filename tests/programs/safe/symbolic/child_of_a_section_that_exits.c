// what: a thread that is created in an atomic section never runs if the process ends inside the section
// expect: assert=ok
// explicit: race=bounded (the child is kept out while its creator is inside, which is no order)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static void *child(void *unused) {
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    raddle_atomic_begin();
    pthread_create(&thread, NULL, child, NULL);
    exit(0);
}
