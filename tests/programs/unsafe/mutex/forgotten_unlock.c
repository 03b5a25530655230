// what: an early return leaves the mutex locked; the other thread waits for ever
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static void *child(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    if (++turns == 1) return NULL;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
