// what: the sum of 1 to 4 by threads that start a thread for one half and do the other themselves
// expect: assert=ok
// proved: explicit
// why: each result is written before the end of the thread that is joined
#include <assert.h>
#include <pthread.h>

struct range {
    int low, high, sum;
};
static void *add_up(void *argument) {
    struct range *range = argument;
    if (range->low == range->high) {
        range->sum = range->low;
        return NULL;
    }
    int middle = (range->low + range->high) / 2;
    struct range left = {range->low, middle, 0}, right = {middle + 1, range->high, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, add_up, &left);
    add_up(&right);
    pthread_join(thread, NULL);
    range->sum = left.sum + right.sum;
    return NULL;
}

int main(void) {
    struct range all = {1, 4, 0};
    add_up(&all);
    assert(all.sum == 10);
    return 0;
}
