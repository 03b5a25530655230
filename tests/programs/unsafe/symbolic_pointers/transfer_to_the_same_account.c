// what: a transfer reads both balances before it writes: wrong if both accounts are the same
// expect: assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

struct account {
    int number, balance;
};
static struct account accounts[3] = {{1, 10}, {2, 20}, {3, 30}};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *transfer(void *unused) {
    struct account *from = &accounts[raddle_any_in(0, 2)], *to = &accounts[raddle_any_in(0, 2)];
    pthread_mutex_lock(&mutex);
    int paid = from->balance - 5, received = to->balance + 5;
    from->balance = paid;
    to->balance = received;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    transfer(NULL);
    pthread_join(thread, NULL);
    assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 60); //~ ASSERT
    return 0;
}
