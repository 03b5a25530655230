// what: the lock of a block guards its count
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int count; };
static void *run(void *p) {
    struct box *own = p;
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_mutex_unlock(&own->lock);
    return 0;
}
static void *other(void *p) {
    struct box **both = p;
    pthread_mutex_lock(&both[0]->lock);
    both[0]->count++;
    pthread_mutex_unlock(&both[0]->lock);
    return 0;
}
static struct box *make(void) {
    struct box *made = malloc(sizeof *made);
    pthread_mutex_init(&made->lock, 0);
    made->count = 0;
    return made;
}
int main(void) {
    pthread_t a, b;
    struct box *both[2];
    both[0] = make();
    both[1] = make();
    pthread_create(&a, 0, run, both[0]);
    pthread_create(&b, 0, other, both);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
