// what: two locks of the heap are taken in two orders
// expect: deadlock=violated
// engines: explicit
// why: the accesses are guarded, and the deadlock is there all the same
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

static struct box *left, *right;

static void *one(void *unused) {
    pthread_mutex_lock(&left->lock);
    left->a = 1;
    pthread_mutex_lock(&right->lock);
    right->a = 1;
    pthread_mutex_unlock(&right->lock);
    pthread_mutex_unlock(&left->lock);
    return NULL;
}

static void *two(void *unused) {
    pthread_mutex_lock(&right->lock);
    right->a = 2;
    pthread_mutex_lock(&left->lock);
    left->a = 2;
    pthread_mutex_unlock(&left->lock);
    pthread_mutex_unlock(&right->lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    left = make();
    right = make();
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
