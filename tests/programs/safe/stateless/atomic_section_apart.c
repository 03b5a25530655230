// what: sections that share nothing are not ordered by being sections
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x, y;
static void *left(void *unused) {
    raddle_atomic_begin();
    x++;
    x++;
    raddle_atomic_end();
    return NULL;
}
static void *right(void *unused) {
    raddle_atomic_begin();
    y++;
    y++;
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 && y == 2);
    return 0;
}
