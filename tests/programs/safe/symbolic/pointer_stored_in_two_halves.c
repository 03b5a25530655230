// what: a pointer that is written in two halves and read as a whole is the same pointer
// expect: assert=ok memsafety=ok
#include <assert.h>
#include <pthread.h>

static int value = 3;
static union {
    int *pointer;
    int halves[2];
} shared;
static void *child(void *unused) {
    union {
        int *pointer;
        int halves[2];
    } mine;
    mine.pointer = &value;
    shared.halves[0] = mine.halves[0];
    shared.halves[1] = mine.halves[1];
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    assert(*shared.pointer == 3);
    return 0;
}
