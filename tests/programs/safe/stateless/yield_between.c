// what: a yield is an event that touches nothing
// expect: assert=ok race=ok deadlock=ok
// why: six orders of four additions
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    x++;
    raddle_yield();
    x++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 4);
    return 0;
}
