// what: the process ends inside an atomic section, after or before a thread has lost its block
// expect: leak=violated overflow=violated
// options: --property leak --property overflow
// why: the thread may come first; what ends inside a section is tried at one moment only
#include <limits.h>
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static int *block, most = INT_MAX;

static void *lose(void *unused) {
    block = malloc(sizeof(int)); //~ leak
    block = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, lose, 0);
    most++; //~ overflow
    raddle_atomic_begin();
    return 0;
}
