// what: one thread sorts what another reads
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>

static int values[3] = {3, 1, 2};
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
static void *child(void *unused) {
    qsort(values, 3, sizeof *values, order); //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    int first = values[0]; //~ RACE
    pthread_join(thread, NULL);
    return first == 0;
}
