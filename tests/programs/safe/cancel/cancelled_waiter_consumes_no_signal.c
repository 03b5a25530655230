// what: of two waiters one is cancelled; the signal reaches the other
// expect: deadlock=ok
// options: --no-spurious-wakeups
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;
static void unlock(void *unused) { pthread_mutex_unlock(&mutex); }
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    waiting++;
    pthread_cond_wait(&cond, &mutex);
    waiting = -10;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    int both = waiting == 2;
    if (both) pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_cancel(first);
    if (!both) pthread_cancel(second);
    pthread_join(first, NULL);
    if (both) {
        pthread_mutex_lock(&mutex);
        int woken = waiting < 0;
        pthread_mutex_unlock(&mutex);
        if (!woken) pthread_join(second, NULL);
        else pthread_cancel(second);
    }
    if (!both) pthread_join(second, NULL);
    return 0;
}
