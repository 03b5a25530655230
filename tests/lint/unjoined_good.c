// what: threads that are joined elsewhere, detached, detach themselves, or are created detached
#include <pthread.h>

struct pool { pthread_t workers[2]; };

static struct pool pool;

static void *work(void *unused) { return unused; }

static void *self_detached(void *unused)
{
    pthread_detach(pthread_self());
    return unused;
}

static void pool_start(struct pool *p)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&p->workers[i], NULL, work, NULL);
}

static void pool_stop(struct pool *p)
{
    for (int i = 0; i < 2; i++)
        pthread_join(p->workers[i], NULL);
}

int main(void)
{
    pthread_t a, b, c;
    pthread_attr_t attributes;
    pool_start(&pool);
    pthread_create(&a, NULL, work, NULL);
    pthread_detach(a);
    pthread_create(&b, NULL, self_detached, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&c, &attributes, work, NULL);
    pool_stop(&pool);
    return 0;
}
