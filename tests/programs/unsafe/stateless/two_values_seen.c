// what: a reader sees both values of a writer
// expect: assert=violated
// why: write, read, write to its end, read; preemptions: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *write(void *unused) {
    x = 1;
    x = 2;
    return NULL;
}
static void *read(void *unused) {
    int r1 = x;
    int r2 = x;
    assert(!(r1 == 1 && r2 == 2)); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
