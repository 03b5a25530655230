// what: joining inside an atomic section: the child can never end
// expect: deadlock=violated
// explicit: race=bounded (the child is kept out while its creator is inside, which is no order)
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    raddle_atomic_begin();
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL); //~ DEADLOCK
    raddle_atomic_end();
    return 0;
}
