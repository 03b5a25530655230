// what: a signal is given before the other thread waits with the lock of a heap block
// expect: deadlock=violated
// engines: explicit
// why: a lock that threads wait with is no mover to give back
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
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *one(void *unused) {
    pthread_mutex_lock(&box->lock);
    pthread_cond_signal(&condition);
    box->a = 1;
    pthread_mutex_unlock(&box->lock);
    return NULL;
}

static void *two(void *unused) {
    pthread_mutex_lock(&box->lock);
    pthread_cond_wait(&condition, &box->lock);
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
    return 0;
}
