// Two threads add each other's variable to their own, N times; main looks at any time. With -DBAD the largest value, a
// Fibonacci number, is one too many; without, it is allowed. A family of SV-COMP (pthread/fib_bench).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif
#ifdef BAD
#define BELOW <
#else
#define BELOW <=
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

static int largest(void) {
    int previous = 0, last = 1;
    for (int i = 0; i < 2 * N + 1; i++) {
        int sum = previous + last;
        previous = last;
        last = sum;
    }
    return last;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left BELOW largest() && right BELOW largest());
    return 0;
}
