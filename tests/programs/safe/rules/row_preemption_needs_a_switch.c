// what: without preemptions each thread runs until it blocks or ends: the lost update needs one
// expect: assert=ok
// engines: explicit stateless
// options: --preemptions 0 --property assert
// explicit: all=bounded (the bound cuts)
#include <assert.h>
#include <pthread.h>

static int x;
static void *child(void *unused) {
    x++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
