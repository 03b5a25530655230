// what: functions that are declared atomic: two sections, a read and a write, a test before the lock
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int filled, count;
static atomic_int tickets;

static void move_one(int *from, int *to)
{
    pthread_mutex_lock(&m);
    --*from;
    pthread_mutex_unlock(&m); //~ LINT not-atomic
    pthread_mutex_lock(&m);
    ++*to;
    pthread_mutex_unlock(&m);
}

RADDLE_ATOMIC
static void swap_sides(void)
{
    move_one(&filled, &count);
}

RADDLE_ATOMIC
static int ticket(void)
{
    int mine = tickets; //~ LINT not-atomic
    tickets = mine + 1; //~ LINT atomic-read-then-write
    return mine;
}

static void *client(void *unused)
{
    swap_sides();
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
