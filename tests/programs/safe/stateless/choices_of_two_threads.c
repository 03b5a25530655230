// what: each thread picks a number and adds it
// expect: assert=ok race=ok deadlock=ok
// why: nine pairs of answers, two orders: eighteen classes
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x;
static void *add(void *unused) {
    x += (int)raddle_any_in(1, 3);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x >= 2 && x <= 6);
    return 0;
}
