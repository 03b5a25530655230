// what: a structure with a lock is assigned before the threads start
// expect: race=ok
// proved: types
#include <pthread.h>
struct box { int count; pthread_mutex_t lock; };
static const struct box initial = {3, PTHREAD_MUTEX_INITIALIZER};
static struct box g;
static void *run(void *p) {
    pthread_mutex_lock(&g.lock);
    g.count++;
    pthread_mutex_unlock(&g.lock);
    return 0;
}
int main(void) {
    pthread_t a, b;
    g = initial;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
