// what: free after a read that nothing orders
// expect: race=violated memsafety=violated
#include <pthread.h>
#include <stdlib.h>

static void *child(void *object) {
    int seen = *(int *)object; //~ RACE //~ MEMSAFETY
    return (void *)(long)seen;
}

int main(void) {
    pthread_t thread;
    int *object = calloc(1, sizeof *object);
    pthread_create(&thread, NULL, child, object);
    free(object); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
