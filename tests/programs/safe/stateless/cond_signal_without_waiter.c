// what: a signal that nobody waits for does nothing
// expect: assert=ok race=ok deadlock=ok
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *wake(void *unused) {
    pthread_cond_signal(&condition);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wake, NULL);
    pthread_create(&b, NULL, wake, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
