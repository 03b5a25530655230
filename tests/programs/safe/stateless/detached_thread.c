// what: a detached thread that nobody waits for
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    x++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_detach(thread);
    assert(x == 0 || x == 1);
    return 0;
}
