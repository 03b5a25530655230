// what: the flag changes between the test and the use
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 4;
static void *changer(void *unused) {
    divisor = 0;
    divisor = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, changer, NULL);
    if (divisor != 0) {
        int used = divisor;
        assert(used != 0); //~ ASSERT
    }
    pthread_join(thread, NULL);
    return 0;
}
