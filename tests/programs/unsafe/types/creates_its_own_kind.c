// what: threads create their own kind from the call that created the first; only the first is joined
// expect: race=violated
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *run(void *p);
static pthread_t start(void *p) {
    pthread_t t;
    pthread_create(&t, 0, run, p);
    return t;
}
static void *run(void *p) {
    pthread_mutex_lock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    if (p) start(0);
    return 0;
}
int main(void) {
    pthread_t t = start(&m);
    pthread_join(t, 0);
    return x; //~ RACE
}
