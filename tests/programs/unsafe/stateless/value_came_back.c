// what: a compare-exchange does not see that the value changed and came back
// expect: assert=violated
// why: a switch between the load and the exchange; preemptions: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, changes;
static void *exchange(void *unused) {
    int before = changes, old = x;
    if (atomic_compare_exchange_strong(&x, &old, 2)) assert(changes == before); //~ ASSERT
    return NULL;
}
static void *there_and_back(void *unused) {
    changes++;
    x = 1;
    x = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, exchange, NULL);
    pthread_create(&b, NULL, there_and_back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
