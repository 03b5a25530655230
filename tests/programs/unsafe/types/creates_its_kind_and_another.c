// what: of threads that create their own kind, each joins its other child; only the first is joined
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
static void *add(void *p) {
    pthread_mutex_lock(&m);
    x++; //~ RACE
    pthread_mutex_unlock(&m);
    return 0;
}
static void *run(void *p) {
    pthread_t t;
    if (p) start(0);
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t t = start(&m);
    pthread_join(t, 0);
    return x; //~ RACE
}
