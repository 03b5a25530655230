// what: a structure with a lock is assigned beside a thread
// expect: race=violated locks=violated
#include <pthread.h>
struct box { int count; pthread_mutex_t lock; };
static const struct box initial = {3, PTHREAD_MUTEX_INITIALIZER};
static struct box g;
static void *run(void *p) {
    pthread_mutex_lock(&g.lock);
    g.count++; //~ RACE
    pthread_mutex_unlock(&g.lock); //~ LOCKS
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    g = initial; //~ RACE
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
