// what: the queue's consumer tests for emptiness before it locks
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int amount = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *consumer(void *unused) {
    if (amount > 0) { //~ RACE
        pthread_mutex_lock(&mutex);
        amount--; //~ RACE
        assert(amount >= 0); //~ ASSERT
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
