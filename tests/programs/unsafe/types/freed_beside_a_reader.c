// what: the block is freed beside the thread
// expect: race=violated memsafety=violated
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *run(void *p) { return (void *)(long)*shared; } //~ RACE MEMSAFETY
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&a, 0, run, 0);
    free(shared); //~ RACE
    pthread_join(a, 0);
    return 0;
}
