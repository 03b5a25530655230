// what: each turn of a waiting loop exchanges three blocks; addresses are looked at only behind it
// expect: assert=violated
// why: two turns, then x is written; states that differ only in the names of blocks are not the same here; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *write(void *unused) {
    x = 1;
    return NULL;
}
static int *make(void) { return malloc(sizeof(int)); }

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write, NULL);
    int *p = make(), *q = make(), *r = make();
    while (!x) {
        int *turned = p;
        p = q;
        q = r;
        r = turned;
    }
    assert(!(p > q && p > r)); //~ ASSERT
    return 0;
}
