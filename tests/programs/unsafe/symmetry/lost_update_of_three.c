// what: three equal threads add without a lock
// expect: assert=violated race=violated
#include <assert.h>
#include <pthread.h>

static int sum;

static void *worker(void *unused) {
    sum++; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 3); //~ ASSERT
    return 0;
}
