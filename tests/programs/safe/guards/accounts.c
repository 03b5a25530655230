// what: transfers between accounts that lie in heap blocks with their locks
// expect: assert=ok
// engines: explicit
// proved: explicit
// why: each access to an account holds the lock inside it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 3

struct account {
    pthread_mutex_t lock;
    int balance, moves;
};

static struct account *accounts[N];

static void change(struct account *account, int amount) {
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    account->moves++;
    pthread_mutex_unlock(&account->lock);
}

static void *transfer(void *argument) {
    long from = (long)argument;
    change(accounts[from], -1);
    change(accounts[(from + 1) % N], 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        accounts[i] = malloc(sizeof *accounts[i]);
        pthread_mutex_init(&accounts[i]->lock, NULL);
        accounts[i]->balance = 10;
        accounts[i]->moves = 0;
    }
    for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, transfer, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) assert(accounts[i]->balance == 10 && accounts[i]->moves == 2);
    return 0;
}
