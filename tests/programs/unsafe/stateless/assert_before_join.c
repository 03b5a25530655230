// what: main does not wait for the writer
// expect: assert=violated
// why: main goes on until it looks; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *write(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, write, NULL);
    assert(x == 1); //~ ASSERT
    pthread_join(a, NULL);
    return 0;
}
