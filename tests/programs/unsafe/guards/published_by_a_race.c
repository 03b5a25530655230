// what: a block is filled and then published by a plain store that races
// expect: race=violated
// engines: explicit
// why: what was done before the publication is seen, though nothing orders it
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
    struct box *mine = make();
    mine->a = 1;
    mine->a = 2;
    box = mine;
    return NULL;
}

static void *two(void *unused) {
    struct box *theirs = box;
    if (theirs) assert(theirs->a == 2);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
