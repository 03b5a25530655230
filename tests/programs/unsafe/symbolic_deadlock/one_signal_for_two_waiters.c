// what: one signal wakes one of two waiters, and the other waits for ever
// expect: deadlock=violated
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_open) pthread_cond_wait(&opened, &mutex); //~ DEADLOCK
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    is_open = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, NULL); //~ DEADLOCK
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
