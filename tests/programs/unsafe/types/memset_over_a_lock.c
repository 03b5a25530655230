// what: each thread clears the structure with the lock
// expect: race=violated locks=violated
#include <pthread.h>
#include <string.h>
struct box { pthread_mutex_t lock; int count; };
static struct box g;
static void *run(void *p) {
    memset(&g, 0, sizeof g); //~ RACE
    pthread_mutex_lock(&g.lock);
    g.count++; //~ RACE
    pthread_mutex_unlock(&g.lock); //~ LOCKS
    return 0;
}
int main(void) {
    pthread_t a, b;
    memset(&g, 0, sizeof g);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
