// what: what main does after the join
// expect: race=ok
// proved: types
#include <pthread.h>
static int x;
static void *run(void *p) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    x = 2;
    return 0;
}
