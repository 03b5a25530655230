// what: main does not wait long enough for a detached thread
// expect: assert=violated
// why: main can look before the thread has stored; both accesses are atomic
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static void *thread(void *unused) {
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_detach(t);
    assert(done); //~ ASSERT
    return 0;
}
