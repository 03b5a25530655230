// what: a thread fails while two others add
// expect: assert=violated
// why: the assertion is false in every execution; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *fail(void *unused) {
    assert(x > 2); //~ ASSERT
    return NULL;
}
static void *add(void *unused) {
    x++;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, fail, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_create(&c, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
