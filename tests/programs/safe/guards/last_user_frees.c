// what: the last of two users of a block with a lock inside frees it
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: the count under the lock tells which one is the last
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t lock;
    int users;
};

static struct shared *shared;

static void *leave(void *unused) {
    pthread_mutex_lock(&shared->lock);
    int last = --shared->users == 0;
    pthread_mutex_unlock(&shared->lock);
    if (last) {
        pthread_mutex_destroy(&shared->lock);
        free(shared);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    shared->users = 2;
    pthread_create(&first, NULL, leave, NULL);
    pthread_create(&second, NULL, leave, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
