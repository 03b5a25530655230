// what: x++ is a read and a write: another thread's step fits between
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int x;
static void *child(void *unused) {
    x++; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x++; //~ RACE
    pthread_join(thread, NULL);
    assert(x == 2); //~ ASSERT
    return 0;
}
