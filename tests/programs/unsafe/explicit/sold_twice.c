// what: two threads see the last ticket and both sell it
// expect: assert=violated
// why: the look and the sale are two atomic steps; there is no race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1;
static void *seller(void *unused) {
    if (left > 0) {
        int before = atomic_fetch_sub(&left, 1);
        assert(before > 0); //~ ASSERT
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, seller, NULL);
    pthread_create(&b, NULL, seller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
