// what: main writes between two joins what the threads not yet joined look at
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *worker(void *unused) {
    assert(flag == 0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    flag = 1;
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], NULL);
    return 0;
}
