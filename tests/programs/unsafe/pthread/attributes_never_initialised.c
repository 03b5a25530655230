// what: thread attributes are used that were never initialised
// expect: locks=violated
#include <pthread.h>
#include <stdlib.h>

static void *child(void *unused) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_attr_t *attributes = malloc(sizeof *attributes);
    pthread_create(&thread, attributes, child, NULL); //~ LOCKS
    pthread_join(thread, NULL);
    free(attributes);
    return 0;
}
