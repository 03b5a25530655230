// what: a broadcast wakes both waiters
// expect: assert=ok race=ok deadlock=ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag, awake;
static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!flag) pthread_cond_wait(&condition, &mutex);
    awake++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(awake == 2);
    return 0;
}
