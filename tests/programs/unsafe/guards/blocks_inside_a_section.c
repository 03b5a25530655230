// what: a thread waits inside an atomic section for a lock of the heap
// expect: deadlock=violated
// explicit: race=bounded (synchronisation inside a section of the user: rule 3)
// engines: explicit
// why: the section keeps the holder from giving the lock back
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
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
    raddle_atomic_begin();
    pthread_mutex_lock(&box->lock);
    box->a = 2;
    pthread_mutex_unlock(&box->lock);
    raddle_atomic_end();
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
