// what: one spin lock by argument
// expect: race=ok
// proved: types
#include <pthread.h>
static pthread_spinlock_t s, t;
static int x;
static void *run(void *p) {
    pthread_spinlock_t *own = p;
    pthread_spin_lock(own);
    x++;
    pthread_spin_unlock(own);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_spin_init(&s, 0);
    pthread_spin_init(&t, 0);
    pthread_create(&a, 0, run, (void *)&s);
    pthread_create(&b, 0, run, (void *)&s);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
