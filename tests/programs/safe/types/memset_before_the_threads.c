// what: the structure is cleared before the threads start
// expect: race=ok
// proved: types
#include <pthread.h>
#include <string.h>
struct box { pthread_mutex_t lock; int count; };
static struct box g;
static void *run(void *p) {
    pthread_mutex_lock(&g.lock);
    g.count++;
    pthread_mutex_unlock(&g.lock);
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
