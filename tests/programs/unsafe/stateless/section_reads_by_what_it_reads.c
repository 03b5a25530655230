// what: an atomic section looks at y only after somebody has written x
// expect: assert=violated
// why: q and r come before the section, which touches y only then; preemptions: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static int seen;

static void *p(void *unused) {
    __VERIFIER_atomic_begin();
    if (x) seen = y;
    __VERIFIER_atomic_end();
    return NULL;
}
static void *q(void *unused) {
    x = 1;
    return NULL;
}
static void *r(void *unused) {
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_create(&c, NULL, r, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(seen == 0); //~ ASSERT
    return 0;
}
