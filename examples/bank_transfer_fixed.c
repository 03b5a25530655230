/* A bank with four accounts, each with a lock of its own. A transfer locks
 * both, always the one with the lower number first. So no cycle of transfers can
 * wait for one another, whichever way the money goes.
 *
 * $ raddle check examples/bank_transfer_fixed.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 4
#define OPENING 100

struct account {
    int number;
    int balance;
    pthread_mutex_t lock;
};

struct order {
    int from, to, amount;
};

static struct account *accounts[ACCOUNTS];

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from->number < to->number ? from : to;
    struct account *second = first == from ? to : from;

    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *execute(void *argument)
{
    struct order *order = argument;

    transfer(accounts[order->from], accounts[order->to], order->amount);
    return NULL;
}

int main(void)
{
    struct order orders[] = { { 0, 1, 30 }, { 2, 3, 80 }, { 1, 0, 50 } };
    pthread_t clerks[3];
    int total = 0;

    for (int i = 0; i < ACCOUNTS; i++) {
        accounts[i] = malloc(sizeof *accounts[i]);
        if (accounts[i] == NULL)
            abort();
        accounts[i]->number = i;
        accounts[i]->balance = OPENING;
        pthread_mutex_init(&accounts[i]->lock, NULL);
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&clerks[i], NULL, execute, &orders[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(clerks[i], NULL);

    for (int i = 0; i < ACCOUNTS; i++) {
        total += accounts[i]->balance;
        pthread_mutex_destroy(&accounts[i]->lock);
        free(accounts[i]);
    }
    assert(total == ACCOUNTS * OPENING);
    return 0;
}
