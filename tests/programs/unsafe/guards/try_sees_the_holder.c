// what: a failed try tells that the other thread is inside
// expect: assert=violated race=violated
// engines: explicit
// why: giving the lock back is no mover where another thread tries to take it
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
static int failed;

static void *one(void *unused) {
    pthread_mutex_lock(&box->lock);
    box->a = 1;
    pthread_mutex_unlock(&box->lock);
    failed = 0;
    return NULL;
}

static void *two(void *unused) {
    if (pthread_mutex_trylock(&box->lock))
        failed = 1;
    else
        pthread_mutex_unlock(&box->lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    box = make();
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(!failed);
    return 0;
}
