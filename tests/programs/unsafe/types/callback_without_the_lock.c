// what: a function that the library calls back takes no lock
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int compared;
static int order(const void *a, const void *b) {
    compared++; //~ RACE
    return *(const int *)a - *(const int *)b;
}
static void *run(void *p) {
    int own[2] = {2, 1};
    qsort(own, 2, sizeof own[0], order);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
