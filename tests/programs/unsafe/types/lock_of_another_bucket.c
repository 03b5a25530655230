// what: the lock of another bucket is held
// expect: race=violated
#include <pthread.h>
struct bucket { int count; pthread_mutex_t lock; };
static struct bucket table[3];
static void add(int i) {
    struct bucket *b = &table[i];
    pthread_mutex_lock(&b->lock);
    table[0].count++; //~ RACE
    pthread_mutex_unlock(&b->lock);
}
static void *run(void *p) {
    int first = (int)(long)p;
    for (int i = first; i < first + 2; i++) add(i);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
