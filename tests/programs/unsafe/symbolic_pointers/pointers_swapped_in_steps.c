// what: two threads swap two atomic pointers in single steps: one object may be lost
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int objects[2] = {1, 2};
static int *_Atomic left = &objects[0], *_Atomic right = &objects[1];
static void *swapper(void *unused) {
    int *kept = left;
    left = right;
    right = kept;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, swapper, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int *a = left, *b = right;
    assert(*a + *b == 3); //~ ASSERT
    return 0;
}
