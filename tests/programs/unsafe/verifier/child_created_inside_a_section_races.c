// what: a child that is created inside an atomic section waits for its end, but nothing orders it after the section
// expect: race=violated
// why: rules 3 and 6: waiting is blocking, not an edge
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int data;
static void *child(void *unused) {
    int seen = data; //~ RACE
    return seen ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, NULL, child, NULL);
    data = 1; //~ RACE
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
