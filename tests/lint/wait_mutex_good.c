// what: the wait gives up the mutex that the caller took, by a pointer
#include <pthread.h>

struct gate { pthread_mutex_t lock; pthread_cond_t opened; int open; };

static struct gate gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };

static void await_open(struct gate *g)
{
    pthread_mutex_t *mutex = &g->lock;
    while (!g->open)
        pthread_cond_wait(&g->opened, mutex);
}

static void *visitor(void *unused)
{
    pthread_mutex_lock(&gate.lock);
    await_open(&gate);
    pthread_mutex_unlock(&gate.lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, visitor, NULL);
    pthread_mutex_lock(&gate.lock);
    gate.open = 1;
    pthread_mutex_unlock(&gate.lock);
    pthread_cond_broadcast(&gate.opened);
    pthread_join(t, NULL);
    return 0;
}
