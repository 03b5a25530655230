// what: a thread reads small input for ever and adds it to a sum modulo four that another looks at
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: sums stay below four, whatever the input
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int sum;
static void *watcher(void *unused) {
    for (;;) assert(sum < 4);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, watcher, NULL);
    for (;;) {
        int input = (int)raddle_any_in(0, 3);
        sum = (sum + input) % 4;
    }
    return 0;
}
