// what: the result of a try is ignored
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

void raise_it(void)
{
    pthread_mutex_trylock(&lock); //~ LINT trylock-ignored
    x++;
    pthread_mutex_unlock(&lock);
}
