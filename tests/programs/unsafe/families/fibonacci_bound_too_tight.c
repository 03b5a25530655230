// what: the bound is one too small, so only the two extreme schedules break it
// expect: assert=violated
// options: -DROUNDS=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
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

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, raise_first, NULL);
    pthread_create(&b, NULL, raise_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first < 3 && second < 3); //~ ASSERT
    return 0;
}
