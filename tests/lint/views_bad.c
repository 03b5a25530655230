// what: two coordinates are updated together and read in two sections
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static int get_x(void)
{
    pthread_mutex_lock(&lock);
    int value = x;
    pthread_mutex_unlock(&lock);
    return value;
}

static int get_y(void)
{
    pthread_mutex_lock(&lock);
    int value = y; //~ LINT method-views
    pthread_mutex_unlock(&lock);
    return value;
}

static int distance(void)
{
    return get_x() + get_y();
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
