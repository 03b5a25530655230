// what: each thread has its own thread-local
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 3;
static void *child(void *unused) {
    assert(mine == 3);
    mine = 4;
    return NULL;
}

int main(void) {
    pthread_t thread;
    mine = 5;
    pthread_create(&thread, NULL, child, NULL);
    mine++;
    pthread_join(thread, NULL);
    assert(mine == 6);
    return 0;
}
