// what: two threads both believe they are the last user
// expect: memsafety=violated
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static void *child(void *object) {
    users--;
    if (users == 0) free(object); //~ MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t a, b;
    void *object = malloc(4);
    pthread_create(&a, NULL, child, object);
    pthread_create(&b, NULL, child, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
