// what: threads create their own kind, and all hold the lock
// expect: race=ok
// proved: types
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
    x++;
    pthread_mutex_unlock(&m);
    if (p) start(0);
    return 0;
}
int main(void) {
    x = 1;
    pthread_t t = start(&m);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    int now = x;
    pthread_mutex_unlock(&m);
    return now;
}
