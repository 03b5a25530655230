// what: main joins the thread that its child created
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>

static pthread_t grandchild;
static int x;
static void *inner(void *unused) {
    x = 1;
    return NULL;
}
static void *outer(void *unused) {
    pthread_create(&grandchild, NULL, inner, NULL);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, outer, NULL);
    pthread_join(a, NULL);
    pthread_join(grandchild, NULL);
    assert(x == 1);
    return 0;
}
