// what: every thread gets the address of an argument of its own
// expect: race=ok assert=ok
#include <assert.h>
#include <pthread.h>

static int done[3];
static void *worker(void *argument) {
    int me = *(int *)argument;
    done[me] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(done[0] && done[1]);
    return 0;
}
