/* A stock of goods behind a spin lock. An order that is too large is refused, and
 * the lock is not released on that path. The next thread spins forever. Since it
 * runs all the time this is no deadlock, so the property is termination.
 *
 * $ raddle check --property termination examples/spin_lock.c
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int stock = 5;

static void spin_lock(void)
{
    while (atomic_flag_test_and_set(&busy))
        continue;
}

static void spin_unlock(void)
{
    atomic_flag_clear(&busy);
}

static bool withdraw(int amount)
{
    spin_lock();
    if (amount > stock)
        return false;                   /* still locked */
    stock -= amount;
    spin_unlock();
    return true;
}

static void *customer(void *amount)
{
    withdraw(*(int *)amount);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int small = 3, large = 7;

    pthread_create(&first, NULL, customer, &small);
    pthread_create(&second, NULL, customer, &large);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
