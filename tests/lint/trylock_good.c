// what: the result of a try is tested, at once or later
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

void raise_it(void)
{
    int failed = pthread_mutex_trylock(&lock);
    if (failed)
        return;
    x++;
    pthread_mutex_unlock(&lock);
}

int try_it(void)
{
    if (!pthread_mutex_trylock(&lock)) {
        x++;
        pthread_mutex_unlock(&lock);
        return 1;
    }
    return 0;
}
