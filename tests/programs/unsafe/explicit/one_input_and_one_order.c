// what: the assertion fails only for input 5, and only if the thread comes between two steps of main
// expect: assert=violated
// schedules: 3000
// why: the thread sets 2 only between the two stores; 5 * 2 is the one product that is forbidden
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int stage, factor = 1;
static void *thread(void *unused) {
    if (stage == 1) factor = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    int input = (int)raddle_any_in(0, 7);
    pthread_create(&t, NULL, thread, NULL);
    stage = 1;
    stage = 2;
    pthread_join(t, NULL);
    assert(input * factor != 10); //~ ASSERT
    return 0;
}
