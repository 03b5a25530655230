// what: only when both equal threads choose the largest number is the limit passed
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int sum;

static void *worker(void *unused) {
    sum += raddle_any_in(0, 3);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(sum < 6); //~ ASSERT
    return 0;
}
