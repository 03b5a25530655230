// what: an assumption that fails inside a section takes the section back
// expect: assert=ok race=ok deadlock=ok
// explicit: race=bounded (the section reads behind its atomic store, so its edge leaves from the middle: rule 3)
// why: one class is complete; in the other the section is stuck
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x;
static void *only_later(void *unused) {
    raddle_atomic_begin();
    x = x + 1;
    raddle_assume(x == 2);
    raddle_atomic_end();
    return NULL;
}
static void *add(void *unused) {
    x++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, only_later, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
