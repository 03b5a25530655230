// what: calls through a table
// expect: race=ok
// proved: types
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void with(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}
static void without(void) { x++; }
static void (*const calls[2])(void) = {with, with};
static void *run(void *p) {
    calls[(long)p & 1]();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_join(a, 0);
    pthread_create(&b, 0, run, (void *)1);
    with();
    pthread_join(b, 0);
    return 0;
}
