// what: an account is copied with its lock
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };

static struct account first = { PTHREAD_MUTEX_INITIALIZER, 5 };

int balance(void)
{
    struct account copy = first; //~ LINT mutex-copied
    pthread_mutex_lock(&copy.lock);
    int balance = copy.balance;
    pthread_mutex_unlock(&copy.lock);
    return balance;
}

void pay(int amount)
{
    pthread_mutex_lock(&first.lock);
    first.balance += amount;
    pthread_mutex_unlock(&first.lock);
}
