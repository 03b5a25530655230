// what: every thread starts with the initial value of a thread-local
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 7;
static void *child(void *unused) {
    assert(mine == 7);
    mine = 8;
    return NULL;
}

int main(void) {
    pthread_t thread;
    mine = 9;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, child, NULL);
        pthread_join(thread, NULL);
    }
    assert(mine == 9);
    return 0;
}
