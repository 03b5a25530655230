// A structure that has its own lock, in one global variable.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
    int deposits;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void deposit(int amount) {
    pthread_mutex_lock(&account.lock);
    account.balance += amount;
    account.deposits++;
    pthread_mutex_unlock(&account.lock);
}

static void *work(void *argument) {
    deposit(1);
    deposit(2);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    deposit(3);
    return 0;
}
