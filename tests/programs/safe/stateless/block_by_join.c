// what: each thread gives a block of its own to main
// expect: assert=ok race=ok deadlock=ok
// why: one class
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *make(void *number) {
    int *block = malloc(sizeof *block);
    *block = *(int *)number;
    return block;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    void *left, *right;
    pthread_create(&a, NULL, make, &one);
    pthread_create(&b, NULL, make, &two);
    pthread_join(a, &left);
    pthread_join(b, &right);
    assert(*(int *)left + *(int *)right == 3);
    free(left);
    free(right);
    return 0;
}
