// what: equal threads move two variables together in atomic sections
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int low, high;

static void *worker(void *unused) {
    raddle_atomic_begin();
    low--;
    high++;
    raddle_atomic_end();
    raddle_atomic_begin();
    assert(low + high == 0);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
