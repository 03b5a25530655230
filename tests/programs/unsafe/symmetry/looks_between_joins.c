// what: between two joins main takes it that a thread not yet joined has ended
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *worker(void *unused) {
    flag++;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(flag == 3); //~ ASSERT
    pthread_join(threads[2], NULL);
    return 0;
}
