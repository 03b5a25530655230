// what: the path of an error returns with the lock held
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static int withdraw(int amount)
{
    pthread_mutex_lock(&lock);
    if (amount > balance)
        return -1; //~ LINT lock-not-released
    balance -= amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *customer(void *unused) { withdraw(7); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
