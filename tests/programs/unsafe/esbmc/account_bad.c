// what: deposit and withdrawal are each locked, the check of the balance comes too early
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, deposited, withdrawn;
static void *deposit(void *unused) {
    pthread_mutex_lock(&mutex);
    balance += 5;
    deposited = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *withdraw(void *unused) {
    pthread_mutex_lock(&mutex);
    balance -= 3;
    withdrawn = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void *check(void *unused) {
    pthread_mutex_lock(&mutex);
    if (deposited || withdrawn) assert(balance == 12); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t d, w, c;
    pthread_create(&d, NULL, deposit, NULL);
    pthread_create(&w, NULL, withdraw, NULL);
    pthread_create(&c, NULL, check, NULL);
    pthread_join(d, NULL);
    pthread_join(w, NULL);
    pthread_join(c, NULL);
    return 0;
}
