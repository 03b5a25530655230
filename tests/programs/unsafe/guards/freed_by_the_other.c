// what: a block is freed by one thread and changed by the other, both under a lock
// expect: memsafety=violated assert=unknown race=unknown deadlock=unknown overflow=unknown locks=unknown
// engines: explicit
// why: the lock keeps the two apart and orders them in either way
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
    pthread_mutex_lock(&mutex);
    box->a = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *two(void *unused) {
    pthread_mutex_lock(&mutex);
    free(box);
    pthread_mutex_unlock(&mutex);
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
