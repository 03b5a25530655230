// what: a detached thread among equal ones still uses a block that main has freed
// expect: memsafety=violated race=violated
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *worker(void *unused) {
    pthread_detach(pthread_self());
    (void)*(volatile int *)block; //~ RACE MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t thread;
    block = calloc(1, sizeof *block);
    for (int i = 0; i < 2; i++) pthread_create(&thread, NULL, worker, NULL);
    free(block); //~ RACE
    return 0;
}
