// what: a callback is tested and read again for the call, while another thread removes it
// expect: memsafety=violated
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
    if (installed) {
        callback copy = installed;
        result = copy(4); //~ MEMSAFETY
    }
    assert(result == 8);
    pthread_join(thread, NULL);
    return 0;
}
