// what: a mutex is taken and given back inside a section
// expect: assert=ok race=ok deadlock=ok
// why: two orders
// explicit: race=bounded (synchronisation inside an atomic section may hide an order: rule 6)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *unused) {
    raddle_atomic_begin();
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
