// what: figure 1b of the paper, with a lock in `read_balance` too: the addition reads and writes under one holding
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t self = PTHREAD_MUTEX_INITIALIZER;
static int bal = 1;

static int read_balance(void)
{
    pthread_mutex_lock(&self);
    int now = bal;
    pthread_mutex_unlock(&self);
    return now;
}

RADDLE_ATOMIC
static void add(int val)
{
    pthread_mutex_lock(&self);
    int cur = bal;
    bal = bal + cur + val;
    pthread_mutex_unlock(&self);
}

static int add_if_unchanged(int val)
{
    int before = read_balance();
    int sum = before + val, done = 0;
    pthread_mutex_lock(&self);
    if (bal == before) {
        bal = sum;
        done = 1;
    }
    pthread_mutex_unlock(&self);
    return done;
}

static void *client(void *unused)
{
    add(5);
    while (!add_if_unchanged(2))
        continue;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
