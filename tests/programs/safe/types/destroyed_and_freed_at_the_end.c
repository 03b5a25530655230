// what: a block with its lock and its condition variable, freed after the joins
// expect: race=ok
// proved: types
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; pthread_cond_t full; int n; };
static void *fill(void *p) {
    struct box *b = p;
    pthread_mutex_lock(&b->lock);
    b->n++;
    pthread_cond_signal(&b->full);
    pthread_mutex_unlock(&b->lock);
    return 0;
}
static void *empty(void *p) {
    struct box *b = p;
    pthread_mutex_lock(&b->lock);
    while (!b->n) pthread_cond_wait(&b->full, &b->lock);
    b->n--;
    pthread_mutex_unlock(&b->lock);
    return 0;
}
int main(void) {
    struct box *box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, 0);
    pthread_cond_init(&box->full, 0);
    box->n = 0;
    pthread_t a, b;
    pthread_create(&a, 0, fill, box);
    pthread_create(&b, 0, empty, box);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_cond_destroy(&box->full);
    pthread_mutex_destroy(&box->lock);
    free(box);
    return 0;
}
