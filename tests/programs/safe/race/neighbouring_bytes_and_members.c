// what: neighbouring array elements and members are different memory: no race
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static char bytes[2];
static struct { short a, b; } pair;
static void *child(void *unused) {
    bytes[1] = 1;
    pair.b = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    bytes[0] = 1;
    pair.a = 2;
    pthread_join(thread, NULL);
    assert(bytes[0] + bytes[1] == 2 && pair.a == pair.b);
    return 0;
}
