// what: the routine runs once, and is over when either call returns
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x;
static void routine(void) { x++; }
static void *call(void *unused) {
    pthread_once(&once, routine);
    assert(x == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, call, NULL);
    pthread_create(&b, NULL, call, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
