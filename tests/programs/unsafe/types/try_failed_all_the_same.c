// what: the access where the try failed; one of three threads has the mutex, and the others go on without it
// expect: race=violated locks=violated
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
    pthread_t a, b, c;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_create(&c, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
