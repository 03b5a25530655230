// what: a third thread unlocks
// expect: race=violated locks=violated
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_mutex_unlock(&m); //~ LOCKS
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
