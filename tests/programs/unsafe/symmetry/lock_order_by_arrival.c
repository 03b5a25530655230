// what: equal threads lock two mutexes in an order that depends on when they came
// expect: deadlock=violated
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next;

static void *worker(void *unused) {
    int odd = next++ & 1;
    pthread_mutex_lock(odd ? &a : &b);
    pthread_mutex_lock(odd ? &b : &a); //~ DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
