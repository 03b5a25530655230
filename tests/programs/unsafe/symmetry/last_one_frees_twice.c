// what: equal threads drop a count in two steps: two of them may be the last
// expect: memsafety=violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *block;

static void *worker(void *unused) {
    users--;
    if (users == 0) free(block); //~ MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    block = malloc(sizeof *block);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
