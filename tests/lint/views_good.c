// what: the views are a chain: both coordinates in one section, then one of them
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static int distance(void)
{
    pthread_mutex_lock(&lock);
    int value = x + y;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    value += x;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *mover(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    y--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reader(void *unused)
{
    distance();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
