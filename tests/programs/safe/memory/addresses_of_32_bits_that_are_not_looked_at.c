// what: in ILP32 a thread allocates more than there are addresses for it; as long as no address is looked at, none matters
// expect: assert=ok
// options: --data-model ILP32
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *grandchild(void *argument) {
    char *first = malloc(200 << 10);
    first[7] = 1;
    for (int i = 0; i < 4; i++) {
        char *block = malloc(200 << 10);
        assert(block != first);
        block[7] = 2;
    }
    assert(first[7] == 1);
    return argument;
}

static void *child(void *argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, grandchild, NULL);
    pthread_join(thread, NULL);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
