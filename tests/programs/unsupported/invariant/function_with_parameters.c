// what: a function with a parameter is registered as an invariant, by a cast
// expect: invariant=unknown
// engines: explicit stateless
// options: --property assert
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int x, y;

static int not_both(int unused) { return !(x && y); }

static void *left(void *unused) {
    x = 1;
    x = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    raddle_invariant((int (*)(void))not_both);
    pthread_create(&thread, 0, left, 0);
    y = 1;
    y = 0;
    return 0;
}
