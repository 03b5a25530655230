// what: one of three compare-exchanges wins
// expect: assert=ok race=ok deadlock=ok
// why: any of three wins; the two that fail only read: three classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner, winners;
static void *claim(void *unused) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&owner, &expected, 1)) winners++;
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, claim, NULL);
    pthread_create(&b, NULL, claim, NULL);
    pthread_create(&c, NULL, claim, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(winners == 1);
    return 0;
}
