/* A stock of goods behind a spin lock. An order that is too large is refused, and
 * the lock is released on that path too. Every thread comes to its end.
 *
 * $ raddle check --property termination examples/spin_lock_fixed.c
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
    bool enough;

    spin_lock();
    enough = amount <= stock;
    if (enough)
        stock -= amount;
    spin_unlock();
    return enough;
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
