// what: one thread scans from the end for a zero while others fill the array; place 0 stays zero
// expect: assert=ok
// options: -DSIZE=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SIZE
#define SIZE 3
#endif
static atomic_int array[SIZE + 1];
static void *scan(void *unused) {
    int i = SIZE;
    while (array[i] != 0) i--;
    assert(i >= 0);
    return NULL;
}
static void *fill(void *argument) {
    long i = (long)argument;
    int below = array[i - 1];
    array[i] = below + 1;
    return NULL;
}

int main(void) {
    pthread_t threads[SIZE + 1];
    pthread_create(&threads[0], NULL, scan, NULL);
    for (long i = 1; i <= SIZE; i++) pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i <= SIZE; i++) pthread_join(threads[i], NULL);
    return 0;
}
