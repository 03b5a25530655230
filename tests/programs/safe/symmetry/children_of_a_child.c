// what: a child creates two equal threads and joins them; a third is the child of main
// expect: assert=ok
// proved: explicit
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *worker(void *unused) {
    count++;
    return NULL;
}

static void *parent(void *unused) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, parent, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 3);
    return 0;
}
