// what: each thread has its own counter
// expect: assert=ok race=ok deadlock=ok
// why: two orders of the additions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine;
static atomic_int total;
static void *add(void *unused) {
    mine++;
    mine++;
    total += mine;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(mine == 0);
    assert(total == 4);
    return 0;
}
