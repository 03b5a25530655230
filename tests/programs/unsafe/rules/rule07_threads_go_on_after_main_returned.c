// what: what a thread does after main's return could have come earlier, and counts
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static void *child(void *unused) {
    assert(0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    return 0;
}
