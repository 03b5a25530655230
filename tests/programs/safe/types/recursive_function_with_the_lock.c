// what: a recursive function is called with the lock
// expect: race=ok
// proved: types
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void down(int depth) {
    if (depth == 0) return;
    if (depth < 0) x = 0;
    down(depth - 1);
    x++;
}
static int done(void) { return 1; }
static void *run(void *p) {
    pthread_mutex_lock(&m);
    down(2);
    if (done()) pthread_mutex_unlock(&m);
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
