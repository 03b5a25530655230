// what: by one choice a variable of a function that has returned held the block, by the other one of main's still does
// expect: leak=violated
// engines: explicit stateless
// options: --property leak --preemptions 0
// why: states are told apart by variables that nobody reads, since these keep blocks from being lost
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *shared;
static atomic_int x;

static int *make(void) { return malloc(sizeof(int)); } //~ leak

static void set(void) { shared = make(); }

static void *thread_body(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    int *kept = 0;
    pthread_create(&thread, 0, thread_body, 0);
    if (!raddle_any_in(0, 1)) {
        kept = make();
        shared = kept;
    } else {
        set();
    }
    shared = 0;
    x = 3;
    exit(0);
}
