// what: a second lock at another offset overlaps the first and damages it
// expect: race=violated
// options: --property race
#include <pthread.h>
static union { char bytes[64]; pthread_mutex_t lock; } u;
static int x;
static void *run(void *p) {
    pthread_mutex_lock(&u.lock);
    x++; //~ RACE
    pthread_mutex_unlock(&u.lock);
    return 0;
}
static void *overlap(void *p) {
    pthread_mutex_lock((pthread_mutex_t *)(u.bytes + 8));
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&c, 0, overlap, 0);
    pthread_join(c, 0);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
