// what: threads that return nothing where a pointer is due: what is never read of their control blocks is indeterminate, the rest is not
// expect: assert=ok race=ok deadlock=ok
// proved: order
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;
static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&filled);
}
static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0) pthread_cond_wait(&filled, &mutex);
    items--;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&other, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(items == 0);
    return 0;
}
