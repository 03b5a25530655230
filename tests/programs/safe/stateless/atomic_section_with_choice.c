// what: the answer is part of the section
// expect: assert=ok race=ok deadlock=ok
// why: four pairs of answers, two orders
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x;
static void *add(void *unused) {
    raddle_atomic_begin();
    x = x + raddle_any_in(1, 2);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x >= 2 && x <= 4);
    return 0;
}
