// what: an aligned access of eight bytes is never seen half done
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned long long word;
static void *child(void *unused) {
    word = 0xffffffffffffffffull;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    unsigned long long seen = word;
    assert(seen == 0 || seen == 0xffffffffffffffffull);
    pthread_join(thread, NULL);
    return 0;
}
