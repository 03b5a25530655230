// what: a block is freed before the first thread is created, which reads it
// expect: memsafety=violated
#include <pthread.h>
#include <stdlib.h>
static int *block;
static void *look(void *unused) {
    *block = 1; //~ MEMSAFETY
    return unused;
}
int main(void) {
    block = malloc(sizeof *block);
    *block = 0;
    free(block);
    pthread_t first, second;
    pthread_create(&first, 0, look, 0);
    pthread_create(&second, 0, look, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
