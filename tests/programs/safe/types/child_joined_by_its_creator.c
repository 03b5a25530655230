// what: a child is joined by the thread that is joined
// expect: race=ok
// proved: types
#include <pthread.h>
static int x;
static void *inner(void *p) {
    x = 1;
    return 0;
}
static void *run(void *p) {
    pthread_t t;
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0);
    return x;
}
