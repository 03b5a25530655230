// what: an atomic_flag as a spin lock
// expect: assert=ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int counter;
static void *child(void *unused) {
    while (atomic_flag_test_and_set(&held)) sched_yield();
    counter++;
    atomic_flag_clear(&held);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
