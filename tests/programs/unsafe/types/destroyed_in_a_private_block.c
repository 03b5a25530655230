// what: a lock is destroyed before its block is published to a running thread, and refuses it
// expect: race=violated locks=violated
#include <pthread.h>
#include <stdlib.h>
struct counter { pthread_mutex_t lock; int n; };
static pthread_mutex_t m;
static struct counter *shared;
static void *run(void *p) {
    pthread_mutex_lock(&m);
    struct counter *c = shared;
    pthread_mutex_unlock(&m);
    if (!c) return 0;
    pthread_mutex_lock(&c->lock); //~ LOCKS
    c->n++; //~ RACE
    pthread_mutex_unlock(&c->lock); //~ LOCKS
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    struct counter *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, 0);
    c->n = 0;
    pthread_mutex_destroy(&c->lock);
    pthread_mutex_lock(&m);
    shared = c;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
