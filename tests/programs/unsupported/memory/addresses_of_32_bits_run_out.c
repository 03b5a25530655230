// what: in ILP32 a thread allocates more than there are addresses for it, and looks at addresses
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// options: --data-model ILP32
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *grandchild(void *argument) {
    uintptr_t first = 0;
    for (int i = 0; i < 5; i++) {
        char *block = malloc(200 << 10);
        if (i == 0) first = (uintptr_t)block;
        else assert((uintptr_t)block != first); //~ UNSUPPORTED
    }
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
