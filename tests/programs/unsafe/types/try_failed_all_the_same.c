// what: the access where the try failed
// expect: race=violated locks=violated
// explicit: race=bounded (a try that fails carries information without an order)
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int attempt(void) { return pthread_mutex_trylock(&m) == 0; }
static void *run(void *p) {
    if (!attempt()) {
        x++; //~ RACE
        pthread_mutex_unlock(&m); //~ LOCKS
    }
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
