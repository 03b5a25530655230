// what: the signal comes before the wait and is lost
// expect: deadlock=violated
// why: main signals before the thread begins; preemptions: 0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, wait, NULL);
    pthread_cond_signal(&condition);
    pthread_join(a, NULL); //~ DEADLOCK
    return 0;
}
