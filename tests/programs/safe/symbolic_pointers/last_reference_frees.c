// what: two owners of a block drop their references; the one that takes the count to zero frees it
// expect: memsafety=ok race=ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int payload;
};
static void *owner(void *argument) {
    struct object *object = argument;
    int seen = object->payload;
    (void)seen;
    if (atomic_fetch_sub(&object->references, 1) == 1) free(object);
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
