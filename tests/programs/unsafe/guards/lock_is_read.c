// what: the bytes of a lock are read without holding it
// expect: assert=violated
// explicit: race=bounded (the bytes of a lock are read beside its use: rule 6)
// engines: explicit
// why: giving the lock back is no mover where its bytes are read
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

static struct box *box;

static void *one(void *unused) {
    pthread_mutex_lock(&box->lock);
    box->a = 1;
    pthread_mutex_unlock(&box->lock);
    return NULL;
}

static void *two(void *unused) {
    assert(*(int *)&box->lock == 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    box = make();
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
