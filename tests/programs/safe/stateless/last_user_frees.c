// what: the last of two users frees the block
// expect: assert=ok race=ok deadlock=ok
// why: two orders
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block;
static int users = 2;
static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    *block += 1;
    if (--users == 0) {
        assert(*block == 2);
        free(block);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    block = malloc(sizeof *block);
    *block = 0;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
