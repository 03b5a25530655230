// what: the block is freed after the join
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *run(void *p) { return (void *)(long)*shared; }
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    free(shared);
    return 0;
}
