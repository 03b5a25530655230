// what: two threads add each other's variable; atomic sums never pass a Fibonacci number
// expect: assert=ok
// options: -DROUNDS=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
static atomic_int first = 1, second = 1;
static void *raise_first(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        int sum = first;
        sum += second;
        first = sum;
    }
    return NULL;
}
static void *raise_second(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        int sum = second;
        sum += first;
        second = sum;
    }
    return NULL;
}
static int fibonacci(int n) {
    int a = 1, b = 1;
    for (; n > 0; n--) {
        int c = a + b;
        a = b;
        b = c;
    }
    return a;
}

int main(void) {
    pthread_t a, b;
    int bound = fibonacci(2 * ROUNDS + 1);
    pthread_create(&a, NULL, raise_first, NULL);
    pthread_create(&b, NULL, raise_second, NULL);
    int x = first, y = second;
    assert(x <= bound && y <= bound);
    return 0;
}
