// what: two threads share a structure through their argument; each holds its lock
#include <pthread.h>

struct state { pthread_mutex_t lock; int done; };

static void finish(struct state *s)
{
    pthread_mutex_lock(&s->lock);
    s->done = 1;
    pthread_mutex_unlock(&s->lock);
}

static void *writer(void *argument)
{
    finish(argument);
    return NULL;
}

static void *reader(void *argument)
{
    struct state *s = argument;
    pthread_mutex_lock(&s->lock);
    int done = s->done;
    pthread_mutex_unlock(&s->lock);
    return done ? argument : NULL;
}

int main(void)
{
    struct state s = { .done = 0 };
    pthread_t a, b;
    pthread_mutex_init(&s.lock, NULL);
    pthread_create(&a, NULL, writer, &s);
    pthread_create(&b, NULL, reader, &s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&s.lock);
    return 0;
}
