// what: a block is published under a lock and changed without it
// expect: assert=violated race=violated
// engines: explicit
// why: the block is private no longer
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
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused) {
    struct box *mine = make();
    pthread_mutex_lock(&mutex);
    box = mine;
    pthread_mutex_unlock(&mutex);
    mine->a = 1;
    mine->a = 2;
    return NULL;
}

static void *two(void *unused) {
    pthread_mutex_lock(&mutex);
    struct box *theirs = box;
    pthread_mutex_unlock(&mutex);
    if (theirs) assert(theirs->a != 1);
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
