// what: free is a write of the whole object: it races with a read even if the read comes first
// expect: race=violated memsafety=violated
#include <pthread.h>
#include <stdlib.h>

static void *child(void *argument) {
    return (void *)(long)*(int *)argument; //~ RACE //~ MEMSAFETY
}

int main(void) {
    pthread_t thread;
    int *heap = calloc(1, sizeof *heap);
    pthread_create(&thread, NULL, child, heap);
    free(heap); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
