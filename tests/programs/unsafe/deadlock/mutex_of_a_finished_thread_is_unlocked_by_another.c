// what: a thread waits for a mutex whose owner has ended, until main unlocks it for the dead owner
// expect: deadlock=violated locks=violated
// why: rule 5: waiting for a finished thread is a local deadlock, and a foreign unlock does not count; main always unlocks,
// why: so no run ends in a global deadlock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *owner(void *unused) {
    pthread_mutex_lock(&m); //~ DEADLOCK
    return NULL;
}
static void *waiter(void *unused) {
    pthread_mutex_lock(&m); //~ DEADLOCK
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, owner, NULL);
    pthread_create(&second, NULL, waiter, NULL);
    pthread_join(first, NULL);
    pthread_mutex_unlock(&m); //~ LOCKS
    pthread_join(second, NULL); //~ DEADLOCK
    return 0;
}
