// what: tries, conditional locks, and functions that return with the lock for their callers
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, shared = 1;

static int try_enter(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return 0;
    return 1;
}

static int *find(int least)
{
    pthread_mutex_lock(&lock);
    if (balance < least) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    return &balance;
}

static void adjust(int by, int locked)
{
    if (!locked)
        pthread_mutex_lock(&lock);
    balance += by;
    if (!locked)
        pthread_mutex_unlock(&lock);
}

static int withdraw(int amount)
{
    int result = -1;
    if (pthread_mutex_lock(&lock) != 0)
        return -2;
    if (amount > balance)
        goto out;
    balance -= amount;
    result = 0;
out:
    pthread_mutex_unlock(&lock);
    return result;
}

static void *customer(void *unused)
{
    int *found;
    if (try_enter()) {
        adjust(shared, 1);
        pthread_mutex_unlock(&lock);
    }
    found = find(3);
    if (found != NULL) {
        *found -= 3;
        pthread_mutex_unlock(&lock);
    }
    adjust(2, 0);
    withdraw(4);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
