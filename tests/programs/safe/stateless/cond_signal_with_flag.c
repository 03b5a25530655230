// what: the waiter looks at the flag under the mutex
// expect: assert=ok race=ok deadlock=ok
// why: the wait is needed or not
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag;
static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!flag) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *wake(void *unused) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wake, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flag);
    return 0;
}
