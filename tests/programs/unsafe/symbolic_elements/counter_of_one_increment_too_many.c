// what: a counter of eight bits is incremented just so often that it is zero again
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char count = 250;
static void *worker(void *unused) {
    count++;
    count++;
    count++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(count > 250); //~ ASSERT
    return 0;
}
