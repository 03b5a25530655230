// what: free in an atomic section is a write of the object; a failed trylock does not order it behind the other write
// expect: race=violated
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static void *child(void *unused) {
    *shared = 1; //~ RACE
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, child, NULL);
    if (pthread_mutex_trylock(&mutex)) {
        raddle_atomic_begin();
        free(shared); //~ RACE
        raddle_atomic_end();
    }
    return 0;
}
