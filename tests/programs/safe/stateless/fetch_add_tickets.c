// what: three tickets are three numbers
// expect: assert=ok race=ok deadlock=ok
// why: six orders
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static atomic_int taken[3];
static void *take(void *unused) {
    int ticket = atomic_fetch_add(&next, 1);
    assert(atomic_fetch_add(&taken[ticket], 1) == 0);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_create(&c, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(next == 3);
    return 0;
}
