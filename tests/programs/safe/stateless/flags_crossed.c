// what: not both threads see the other's flag down
// expect: assert=ok race=ok deadlock=ok
// why: three of the four pairs of readings
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static atomic_int inside;
static void *left(void *unused) {
    x = 1;
    if (y == 0) inside++;
    return NULL;
}
static void *right(void *unused) {
    y = 1;
    if (x == 0) inside++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inside <= 1);
    return 0;
}
