// what: two threads allocate and free; each freed block is handed to one of them
// expect: assert=ok
// options: --reuse-addresses
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *child(void *argument) {
    for (int i = 0; i < 3; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        assert(*p == i);
        free(p);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
