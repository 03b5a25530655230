// what: a transfer between two accounts chosen by inputs keeps the sum, also if they are the same
// expect: assert=ok
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
    from->balance -= 5;
    to->balance += 5;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    transfer(NULL);
    pthread_join(thread, NULL);
    assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 60);
    return 0;
}
