// what: three readers of one writer
// expect: assert=ok race=ok deadlock=ok
// why: each reads before or after: eight classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *read(void *unused) {
    int value = x;
    assert(value == 0 || value == 1);
    return NULL;
}
static void *write(void *unused) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, NULL, read, NULL);
    pthread_create(&b, NULL, read, NULL);
    pthread_create(&c, NULL, read, NULL);
    pthread_create(&d, NULL, write, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    pthread_join(d, NULL);
    return 0;
}
