// what: both threads take the outer mutex first
// expect: assert=ok race=ok deadlock=ok
// why: two orders
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    x++;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
