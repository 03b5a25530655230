// what: a thread goes on only if it came second
// expect: assert=ok race=ok deadlock=ok
// why: one class is complete, one blocked
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x;
static void *second(void *unused) {
    raddle_assume(x == 1);
    assert(x == 1);
    return NULL;
}
static void *first(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, second, NULL);
    pthread_create(&b, NULL, first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
