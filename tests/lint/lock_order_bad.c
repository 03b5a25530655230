// what: two threads take two mutexes in opposite orders
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *forwards(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ LINT lock-order-cycle
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *backwards(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forwards, NULL);
    pthread_create(&t2, NULL, backwards, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
