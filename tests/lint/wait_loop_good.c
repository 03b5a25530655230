// what: waits in loops, one of them through a function of its own
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int items;

static void sleep_on(pthread_cond_t *condition)
{
    pthread_cond_wait(condition, &lock);
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        sleep_on(&ready);
    items--;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&ready, &lock);
    items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, NULL);
    return 0;
}
