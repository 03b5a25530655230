// what: figure 1a of the paper: free of races, but the value that is added may be out of date
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t self = PTHREAD_MUTEX_INITIALIZER;
static int bal = 1;

static int read_balance(void)
{
    pthread_mutex_lock(&self);
    int now = bal;
    pthread_mutex_unlock(&self); //~ LINT not-atomic
    return now;
}

RADDLE_ATOMIC
static void add(int val)
{
    int cur = read_balance();
    pthread_mutex_lock(&self);
    bal = val + cur; //~ LINT stale-value
    pthread_mutex_unlock(&self);
}

static void *client(void *unused) { add(5); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
