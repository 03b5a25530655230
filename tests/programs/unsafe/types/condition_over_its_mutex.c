// what: a condition variable that overlaps its mutex overwrites it
// expect: race=violated
// options: --property race
#include <pthread.h>
static union { pthread_mutex_t lock; struct { long before; pthread_cond_t changed; } behind; } u;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&u.lock);
    pthread_cond_wait(&u.behind.changed, &u.lock);
    x++; //~ RACE
    pthread_mutex_unlock(&u.lock);
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
