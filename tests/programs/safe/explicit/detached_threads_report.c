// what: two detached threads report under a mutex; main waits for both reports, not for the threads
// expect: assert=ok
// proved: explicit
// why: each report is a signal under the mutex that main holds while it looks
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reported = PTHREAD_COND_INITIALIZER;
static int reports;
static void *thread(void *unused) {
    pthread_mutex_lock(&mutex);
    reports++;
    pthread_cond_signal(&reported);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, thread, NULL);
        pthread_detach(t);
    }
    pthread_mutex_lock(&mutex);
    while (reports < 2) pthread_cond_wait(&reported, &mutex);
    assert(reports == 2);
    pthread_mutex_unlock(&mutex);
    return 0;
}
