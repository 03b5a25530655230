// what: two threads free the same block, and whoever comes first goes on
// expect: memsafety=violated
// why: either may be the second; preemptions: 0
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *drop(void *unused) {
    free(block);
    return unused;
}

int main(void) {
    pthread_t a, b;
    block = malloc(sizeof *block);
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
