// what: a child created in an atomic section starts after its end
// expect: assert=ok
// explicit: race=bounded (the child is kept out while its creator is inside, which is no order)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    assert(x == 1);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    raddle_atomic_begin();
    pthread_create(&thread, NULL, child, NULL);
    x = 1;
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
