// what: a structure with a lock, and an array of structures with theirs behind it
// expect: race=ok
// proved: types
#include <pthread.h>
struct slot { pthread_mutex_t lock; int n; };
static struct { pthread_mutex_t lock; int n; struct slot slots[2]; } pool;
static void *run(void *p) {
    for (int i = 0; i < 2; i++) {
        struct slot *s = &pool.slots[i];
        pthread_mutex_lock(&s->lock);
        s->n++;
        pthread_mutex_unlock(&s->lock);
    }
    pthread_mutex_lock(&pool.lock);
    pool.n++;
    pthread_mutex_unlock(&pool.lock);
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
