// what: an exit handler after the join
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
static int x;
static void last(void) { x = 2; }
static void *run(void *p) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    atexit(last);
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    exit(0);
}
