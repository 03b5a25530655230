// what: the process ends while a thread still runs; whatever it has done by then, nothing is lost
// expect: leak=ok
// engines: explicit stateless
// proved: explicit
// options: --property leak
// why: the pointer is in a variable of the thread, in the global, or nowhere yet
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *allocate(void *unused) {
    int *own = malloc(sizeof *own);
    block = own;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, allocate, 0);
    return 0;
}
