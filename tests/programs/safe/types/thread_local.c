// what: each thread has its own
// expect: race=ok
// proved: types
#include <pthread.h>
static _Thread_local int own;
static int *volatile seen;
static int other;
static void *run(void *p) {
    int *mine = p;
    ++*mine;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, &other);
    own = 2;
    pthread_join(a, 0);
    return own;
}
