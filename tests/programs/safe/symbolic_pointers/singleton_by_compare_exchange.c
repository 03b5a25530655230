// what: two threads make a singleton by compare-exchange; the loser frees its block and uses the other
// expect: memsafety=ok assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic singleton;
static int *get(void) {
    int *expected = NULL, *fresh = malloc(sizeof *fresh);
    *fresh = 9;
    if (atomic_compare_exchange_strong(&singleton, &expected, fresh)) return fresh;
    free(fresh);
    return expected;
}
static void *child(void *unused) {
    assert(*get() == 9);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    assert(*get() == 9);
    pthread_join(thread, NULL);
    return 0;
}
