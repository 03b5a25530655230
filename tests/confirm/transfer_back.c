// what: one transfer in thousands goes back, and takes the locks of the accounts in the other order
// lint: deadlock 18 36
#include <pthread.h>
#include <stddef.h>

enum { TRANSFERS = 5000 };

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account here = {PTHREAD_MUTEX_INITIALIZER, 1000}, there = {PTHREAD_MUTEX_INITIALIZER, 1000};

static void *pay(void *unused) {
    for (int i = 0; i < TRANSFERS; i++) {
        pthread_mutex_lock(&here.lock);
        pthread_mutex_lock(&there.lock);
        here.balance--;
        there.balance++;
        pthread_mutex_unlock(&there.lock);
        pthread_mutex_unlock(&here.lock);
    }
    return unused;
}

static void *audit(void *unused) {
    long seen = 0;
    for (int i = 0; i < TRANSFERS; i++) {
        pthread_mutex_lock(&there.lock);
        seen += there.balance > 0;
        pthread_mutex_unlock(&there.lock);
    }
    if (seen == TRANSFERS) {
        pthread_mutex_lock(&there.lock);
        pthread_mutex_lock(&here.lock);
        there.balance--;
        here.balance++;
        pthread_mutex_unlock(&here.lock);
        pthread_mutex_unlock(&there.lock);
    }
    return unused;
}

int main(void) {
    pthread_t payer, auditor;
    pthread_create(&payer, NULL, pay, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    pthread_join(payer, NULL);
    pthread_join(auditor, NULL);
    return 0;
}
