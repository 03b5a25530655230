// what: three increments in atomic sections
// expect: assert=ok race=ok deadlock=ok
// why: six orders
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x;
static void *add(void *unused) {
    raddle_atomic_begin();
    x++;
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_create(&c, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(x == 3);
    return 0;
}
