// what: an atomic flag ends a thread
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int rounds;

static void *work(void *unused)
{
    while (!stop)
        rounds++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    stop = 1;
    pthread_join(t, NULL);
    return 0;
}
