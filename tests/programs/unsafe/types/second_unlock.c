// what: one unlock too many gives back the hold of the other
// expect: race=violated locks=violated
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *p) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        x++; //~ RACE
        pthread_mutex_unlock(&m);
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
