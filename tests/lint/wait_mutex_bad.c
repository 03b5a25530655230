// what: the wait gives up a mutex that was released before
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int items;

static int empty(void)
{
    pthread_mutex_lock(&lock);
    int none = items == 0;
    pthread_mutex_unlock(&lock);
    return none;
}

static void *consumer(void *unused)
{
    while (empty())
        pthread_cond_wait(&ready, &lock); //~ LINT wait-without-mutex
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
