// what: a thread is given a local with a lock in it, and the function returns
// expect: memsafety=violated assert=unknown race=unknown deadlock=unknown overflow=unknown locks=unknown
// engines: explicit
// why: every access holds the lock, but the end of a local is no access
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

static pthread_t thread;

static void *one(void *argument) {
    struct box *box = argument;
    pthread_mutex_lock(&box->lock);
    box->a = 1;
    pthread_mutex_unlock(&box->lock);
    return NULL;
}

static void start(void) {
    struct box box = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_create(&thread, NULL, one, &box);
}

int main(void) {
    start();
    pthread_join(thread, NULL);
    return 0;
}
