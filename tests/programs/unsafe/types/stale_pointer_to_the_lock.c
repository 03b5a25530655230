// what: the pointer changes between the lock and the access
// expect: race=violated deadlock=violated locks=violated
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int count; };
static struct box first, second;
static struct box *g = &first;
static void *run(void *p) {
    pthread_mutex_lock(&g->lock); //~ DEADLOCK
    g = g == &first ? &second : &first; //~ RACE
    g->count++;
    pthread_mutex_unlock(&g->lock); //~ LOCKS
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
