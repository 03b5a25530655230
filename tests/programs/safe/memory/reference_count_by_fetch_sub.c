// what: only the thread that takes the count to zero frees
// expect: assert=ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int users; int data; };
static void *child(void *argument) {
    struct object *object = argument;
    int seen = object->data;
    if (atomic_fetch_sub(&object->users, 1) == 1) free(object);
    return (void *)(long)seen;
}

int main(void) {
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->users, 2);
    object->data = 4;
    pthread_create(&a, NULL, child, object);
    pthread_create(&b, NULL, child, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
