// Two threads add each other's variable to their own, N times; main looks at any time. The largest value is a Fibonacci
// number. A family of SV-COMP (pthread/fib_bench).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int left = 1, right = 1;

static void *first(void *unused) {
    for (int i = 0; i < N; i++) left += right;
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < N; i++) right += left;
    return unused;
}

static int limit(void) {
    int previous = 1, last = 1;
    for (int i = 0; i < 2 * N + 1; i++) {
        int sum = previous + last;
        previous = last;
        last = sum;
    }
    return previous;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    assert(left <= limit() && right <= limit());
    return 0;
}
