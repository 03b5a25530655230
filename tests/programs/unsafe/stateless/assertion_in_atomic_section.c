// what: the section fails if it comes second
// expect: assert=violated
// why: either section comes first; preemptions: 0
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
static void *look(void *unused) {
    raddle_atomic_begin();
    assert(x == 0); //~ ASSERT
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
