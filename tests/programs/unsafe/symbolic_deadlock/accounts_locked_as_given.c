// what: a transfer locks the source first; inputs choose the accounts
// expect: deadlock=violated
#include <pthread.h>
#include <raddle.h>

static struct account {
    pthread_mutex_t mutex;
    int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 9}, {PTHREAD_MUTEX_INITIALIZER, 9}};
static void transfer(struct account *from, struct account *to) {
    struct account *first = from, *second = to;
    if (from == to) return;
    pthread_mutex_lock(&first->mutex);
    pthread_mutex_lock(&second->mutex); //~ DEADLOCK
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&second->mutex);
    pthread_mutex_unlock(&first->mutex);
}
static void *child(void *unused) {
    transfer(&accounts[raddle_any_bool()], &accounts[raddle_any_bool()]); //~ DEADLOCK
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    transfer(&accounts[raddle_any_bool()], &accounts[raddle_any_bool()]); //~ DEADLOCK
    pthread_join(thread, NULL); //~ DEADLOCK
    return 0;
}
