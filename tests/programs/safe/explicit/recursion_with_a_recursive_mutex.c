// what: a recursive function takes a recursive mutex at every depth
// expect: assert=ok
// proved: explicit
// why: only the outermost unlock lets the other thread in
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth;
static void descend(int levels) {
    pthread_mutex_lock(&mutex);
    depth++;
    if (levels > 1) descend(levels - 1);
    else assert(depth == 3);
    depth--;
    pthread_mutex_unlock(&mutex);
}
static void *thread(void *unused) {
    descend(3);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    descend(3);
    pthread_join(t, NULL);
    assert(depth == 0);
    return 0;
}
