// what: the atomic flag is set and signalled without the mutex, between the test and the wait
// expect: deadlock=violated
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!flag) pthread_cond_wait(&changed, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    flag = 1;
    pthread_cond_signal(&changed);
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
