// what: a thread that nothing joins
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL); //~ LINT unjoined-thread
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return 0;
}
