// what: the question whether it is busy and the mark are two steps
// expect: assert=violated
// why: one thread has asked; the other is left inside; preemptions: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy, inside;
static void *enter(void *unused) {
    if (!busy) {
        busy = 1;
        assert(atomic_fetch_add(&inside, 1) == 0); //~ ASSERT
        atomic_fetch_sub(&inside, 1);
        busy = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
