// what: a program expects its threads to finish in the order in which they were created
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int place[2];
static void *worker(void *argument) {
    place[(long)argument] = atomic_fetch_add(&next, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(place[0] == 0 && place[1] == 1); //~ ASSERT
    return 0;
}
