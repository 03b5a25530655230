// what: a recursive function takes a normal mutex at every depth
// expect: locks=violated deadlock=violated
// why: the second lock is by the owner itself
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void descend(int levels) {
    pthread_mutex_lock(&mutex); //~ LOCKS //~ DEADLOCK
    if (levels > 1) descend(levels - 1);
    pthread_mutex_unlock(&mutex);
}
static void *thread(void *unused) {
    descend(2);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
