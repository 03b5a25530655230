// what: cnd_wait in a loop, cnd_broadcast, thrd_exit
// expect: assert=ok
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int stage;
static int child(void *unused) {
    mtx_lock(&mutex);
    stage = 1;
    cnd_broadcast(&changed);
    while (stage != 2) cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    thrd_exit(5);
}

int main(void) {
    thrd_t thread;
    int result;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, child, NULL);
    mtx_lock(&mutex);
    while (stage != 1) cnd_wait(&changed, &mutex);
    stage = 2;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    thrd_join(thread, &result);
    assert(result == 5);
    cnd_destroy(&changed);
    return 0;
}
