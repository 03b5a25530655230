// what: a child of a child locks twice, while main has started another thread after it
// expect: deadlock=violated locks=violated
// options: --property deadlock --property locks
// why: threads have numbers that are not in the order of their creation, and the deadlock is that of the right one
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locks_twice(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); //~ deadlock locks
    return unused;
}

static void *starts(void *unused) {
    pthread_t child;
    pthread_create(&child, 0, locks_twice, 0);
    pthread_detach(child);
    return unused;
}

static void *waits(void *unused) { return unused; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, starts, 0);
    pthread_create(&second, 0, waits, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
