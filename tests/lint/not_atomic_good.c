// what: functions that are atomic: one section, also in parts and with a helper; one atomic step; figure 1b of the paper
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int filled, count, lines;
static atomic_int tickets;

RADDLE_ATOMIC
static void step(int by)
{
    filled -= by;
    count += by;
}

RADDLE_ATOMIC
static void move(int by)
{
    pthread_mutex_lock(&m);
    step(by);
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
    step(-by);
    pthread_mutex_unlock(&m);
}

RADDLE_ATOMIC
static int ticket(void)
{
    return tickets++;
}

static void *client(void *unused)
{
    move(2);
    ticket();
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
