// what: both threads find it not initialised
// expect: assert=violated
// why: a switch between the question and the mark; preemptions: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, times;
static void *start(void *unused) {
    if (!ready) {
        times++;
        ready = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, start, NULL);
    pthread_create(&b, NULL, start, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(times == 1); //~ ASSERT
    return 0;
}
