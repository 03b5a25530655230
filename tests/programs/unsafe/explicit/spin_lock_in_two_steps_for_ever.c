// what: a spin lock that looks and takes in two steps lets two threads in, some time
// expect: assert=violated race=violated
// engines: explicit
// why: both see 0 before either stores 1; then the writes of the owner are unordered
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int owner;
static void *thread(void *argument) {
    int me = (int)(long)argument;
    for (;;) {
        while (lock) {
        }
        lock = 1;
        owner = me; //~ RACE
        assert(owner == me); //~ ASSERT //~ RACE
        lock = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)1);
    pthread_create(&b, NULL, thread, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
