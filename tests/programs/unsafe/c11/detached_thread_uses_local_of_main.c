// what: a detached thread writes to a local of a function that has returned
// expect: memsafety=violated
#include <threads.h>

static int child(void *argument) {
    *(int *)argument = 1; //~ MEMSAFETY
    return 0;
}
static void start(void) {
    thrd_t thread;
    int local = 0;
    thrd_create(&thread, child, &local);
    thrd_detach(thread);
}

int main(void) {
    start();
    thrd_yield();
    return 0;
}
