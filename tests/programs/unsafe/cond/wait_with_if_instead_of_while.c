// what: after a spurious wake-up, or when another consumer was faster, the item is not there
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;
static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    if (items == 0) pthread_cond_wait(&filled, &mutex);
    assert(items > 0); //~ ASSERT
    items--;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
