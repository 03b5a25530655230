// what: a volatile flag ends a thread
#include <pthread.h>

static volatile int stop;
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
    stop = 1; //~ LINT volatile-as-sync
    pthread_join(t, NULL);
    return 0;
}
