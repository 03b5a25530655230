// what: condition variables right before and right behind their mutex
// expect: race=ok
// proved: types
#include <pthread.h>
static struct { pthread_cond_t full; pthread_mutex_t lock; pthread_cond_t empty; int n; } box;
static void *put(void *p) {
    pthread_mutex_lock(&box.lock);
    while (box.n) pthread_cond_wait(&box.empty, &box.lock);
    box.n = 1;
    pthread_cond_signal(&box.full);
    pthread_mutex_unlock(&box.lock);
    return 0;
}
static void *get(void *p) {
    pthread_mutex_lock(&box.lock);
    while (!box.n) pthread_cond_wait(&box.full, &box.lock);
    box.n = 0;
    pthread_cond_signal(&box.empty);
    pthread_mutex_unlock(&box.lock);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
