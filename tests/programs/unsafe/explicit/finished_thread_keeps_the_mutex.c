// what: a thread ends without giving its mutex back
// expect: deadlock=violated
// why: who locks it afterwards waits for a finished thread
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *keeper(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    return NULL;
}
static void *other(void *unused) {
    pthread_mutex_lock(&mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, keeper, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
