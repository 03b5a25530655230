// what: guards of variables and members, required locks, a variable of one thread; clang's own attributes
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total RADDLE_GUARDED_BY(m);
static int rounds RADDLE_NOT_SHARED;
static int other __attribute__((guarded_by(m)));

struct account {
    pthread_mutex_t lock;
    int balance RADDLE_GUARDED_BY(lock);
    unsigned open : 1 RADDLE_GUARDED_BY(lock);
} first = {PTHREAD_MUTEX_INITIALIZER, 0, 0}, *second;

RADDLE_REQUIRES(to->lock)
static void add(struct account *to, int by)
{
    to->balance += by;
    to->open = 1;
}

RADDLE_REQUIRES(m)
static void count(void)
{
    total++;
    other++;
}

static void *client(void *given)
{
    struct account *own = given;
    pthread_mutex_lock(&first.lock);
    add(&first, 1);
    pthread_mutex_unlock(&first.lock);
    pthread_mutex_lock(&own->lock);
    add(own, 1);
    pthread_mutex_unlock(&own->lock);
    pthread_mutex_lock(&m);
    count();
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    second = malloc(sizeof *second);
    pthread_mutex_init(&second->lock, NULL);
    second->balance = 0;
    second->open = 0;
    pthread_create(&a, NULL, client, second);
    pthread_create(&b, NULL, client, second);
    while (rounds < 3)
        rounds++;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return total;
}
