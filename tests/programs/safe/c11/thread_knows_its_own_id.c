// what: thrd_create stores the id before the thread begins
// expect: assert=ok race=ok
// proved: explicit stateless
// why: C11 7.26.5.1: the completion of thrd_create synchronizes with the beginning of the thread
#include <assert.h>
#include <threads.h>

static thrd_t thread;
static int child(void *unused) {
    assert(thrd_equal(thrd_current(), thread));
    return 0;
}

int main(void) {
    thrd_create(&thread, child, NULL);
    thrd_join(thread, NULL);
    return 0;
}
