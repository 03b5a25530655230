// what: main returns inside an atomic section: its write is never seen, but races with a read that came before
// expect: race=violated assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    assert(x == 0); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    raddle_atomic_begin();
    x = 1; //~ RACE
    return 0;
}
