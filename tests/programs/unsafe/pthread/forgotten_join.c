// what: main asserts without waiting for its child
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int done;
static void *child(void *unused) {
    done = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    assert(done == 1); //~ RACE //~ ASSERT
    return 0;
}
