// what: an atomic section writes y or does not, by what it reads of x
// expect: assert=violated
// why: r, then the section, then p: on the path where p comes first the section does not touch y; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *p(void *unused) {
    x = 1;
    return NULL;
}
static void *r(void *unused) {
    y = 2;
    return NULL;
}
static void *q(void *unused) {
    __VERIFIER_atomic_begin();
    if (x == 0) y = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, r, NULL);
    pthread_create(&c, NULL, q, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(y != 1); //~ ASSERT
    return 0;
}
