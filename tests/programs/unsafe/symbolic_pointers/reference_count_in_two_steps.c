// what: two owners drop their references, and test the count in a second step: both may free the block
// expect: memsafety=violated race=violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int payload;
};
static void *owner(void *argument) {
    struct object *object = argument;
    int seen = object->payload; //~ MEMSAFETY
    (void)seen;
    atomic_fetch_sub(&object->references, 1); //~ MEMSAFETY RACE
    if (atomic_load(&object->references) == 0) free(object); //~ MEMSAFETY RACE
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->payload = 5;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, owner, object);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
