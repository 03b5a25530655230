// what: a thread holds a lock for ever and changes what it guards; another fails an assertion
// expect: assert=violated
// engines: explicit
// why: a cycle of guarded accesses must not keep the other thread back
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int a;
};

static struct box *make(void) {
    struct box *box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, NULL);
    box->a = 0;
    return box;
}

static struct box *box, *other;

static void *one(void *unused) {
    pthread_mutex_lock(&box->lock);
    for (;;) box->a = !box->a;
}

static void *two(void *unused) {
    other->a = 1;
    assert(other->a == 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    box = make();
    other = make();
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
