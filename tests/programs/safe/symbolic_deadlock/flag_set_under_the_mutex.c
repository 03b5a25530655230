// what: the flag is set under the mutex of the waiter: it cannot change between test and wait
// expect: deadlock=ok race=ok
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!flag) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&changed);
    pthread_join(thread, NULL);
    return 0;
}
