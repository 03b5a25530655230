// what: a wait that does not look again after waking
// expect: assert=violated
// why: a spurious wake-up is allowed
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!ready) pthread_cond_wait(&cond, &mutex);
    assert(ready); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
