// what: a tree of threads, each joined by its parent
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

static void *sum(void *argument) {
    long n = (long)argument;
    if (n <= 1) return (void *)n;
    pthread_t left, right;
    void *a, *b;
    pthread_create(&left, NULL, sum, (void *)(n / 2));
    pthread_create(&right, NULL, sum, (void *)(n - n / 2));
    pthread_join(left, &a);
    pthread_join(right, &b);
    return (void *)((long)a + (long)b);
}

int main(void) {
    assert((long)sum((void *)3) == 3);
    return 0;
}
