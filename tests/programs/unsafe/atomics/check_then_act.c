// what: two threads see a free seat and both take it
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, owners;
static void *child(void *unused) {
    if (!taken) {
        taken = 1;
        owners++;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(owners == 1); //~ ASSERT
    return 0;
}
