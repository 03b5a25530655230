// what: a detached thread fails after main returned
// expect: assert=violated
// why: main runs to its end first; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *look(void *unused) {
    assert(x == 0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_detach(thread);
    x = 1;
    return 0;
}
