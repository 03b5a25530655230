// what: two threads create a thread each
// expect: assert=ok race=ok deadlock=ok
// why: two orders of the leaves
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *leaf(void *unused) {
    x++;
    return NULL;
}
static void *branch(void *unused) {
    pthread_t thread;
    pthread_create(&thread, NULL, leaf, NULL);
    pthread_join(thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, branch, NULL);
    pthread_create(&b, NULL, branch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
