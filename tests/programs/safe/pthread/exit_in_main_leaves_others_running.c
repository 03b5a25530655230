// what: pthread_exit in main ends main only; the child still needs what it was given
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *argument) {
    assert(*(int *)argument == 5);
    free(argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *value = malloc(sizeof *value);
    *value = 5;
    pthread_create(&thread, NULL, child, value);
    pthread_exit(NULL);
}
