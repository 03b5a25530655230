// what: two boxes have one count
// expect: race=violated
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int *count; };
static int counts[2];
static struct box boxes[2];
static void *run(void *p) {
    struct box *own = p;
    pthread_mutex_lock(&own->lock);
    ++*own->count; //~ RACE
    pthread_mutex_unlock(&own->lock);
    return 0;
}
int main(void) {
    pthread_t a, b;
    boxes[0].count = &counts[0];
    boxes[1].count = &counts[0];
    pthread_create(&a, 0, run, &boxes[0]);
    pthread_create(&b, 0, run, &boxes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
