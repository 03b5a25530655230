// what: a spin lock guards a plain variable
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t spinlock;
static int x;
static void *add(void *unused) {
    pthread_spin_lock(&spinlock);
    x++;
    pthread_spin_unlock(&spinlock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&spinlock, 0);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
