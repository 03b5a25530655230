// what: a callback is copied once, tested and called, while another thread removes it
// expect: memsafety=ok assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef int (*callback)(int);
static int doubled(int n) { return n * 2; }
static _Atomic(callback) installed = doubled;
static void *remover(void *unused) {
    installed = NULL;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result = 8;
    pthread_create(&thread, NULL, remover, NULL);
    callback copy = installed;
    if (copy) result = copy(4);
    assert(result == 8);
    pthread_join(thread, NULL);
    return 0;
}
