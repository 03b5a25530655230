/* A bank with four accounts, each with a lock of its own. A transfer locks the
 * account that pays, then the one that receives. When money goes both ways
 * between two accounts, each transfer can hold one lock and wait for the other.
 *
 * $ raddle check examples/bank_transfer.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 4
#define OPENING 100

struct account {
    int balance;
    pthread_mutex_t lock;
};

struct order {
    int from, to, amount;
};

static struct account *accounts[ACCOUNTS];

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
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
