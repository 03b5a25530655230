// what: two threads count to six in turns
// expect: assert=violated
// why: even, odd, even, odd, even to its end, odd; preemptions: 4
// schedules: 20000
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static void *even(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    expected = 2;
    atomic_compare_exchange_strong(&x, &expected, 3);
    expected = 4;
    atomic_compare_exchange_strong(&x, &expected, 5);
    return NULL;
}
static void *odd(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong(&x, &expected, 2);
    expected = 3;
    atomic_compare_exchange_strong(&x, &expected, 4);
    expected = 5;
    atomic_compare_exchange_strong(&x, &expected, 6);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, even, NULL);
    pthread_create(&b, NULL, odd, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x != 6); //~ ASSERT
    return 0;
}
