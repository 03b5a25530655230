// what: a thread that detaches itself is not waited for
// expect: race=violated locks=violated
#include <pthread.h>
static int x;
static void *run(void *p) {
    pthread_detach(pthread_self());
    x = 1; //~ RACE
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    pthread_join(a, 0); //~ LOCKS
    return x;
}
