// what: a thread-local of main is given to a thread
// expect: race=violated
#include <pthread.h>
static _Thread_local int own;
static int *volatile seen;
static int other;
static void *run(void *p) {
    int *mine = p;
    ++*mine; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, &own);
    own = 2; //~ RACE
    pthread_join(a, 0);
    return own;
}
