// what: weak fairness does not help who waits for a mutex: it is disabled whenever the other holds it
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=<> entered" --prop "entered=inside == 2"
// why: thread two is enabled only while the lock is free, and never continuously
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *visitor(void *number) {
    for (;;) {
        pthread_mutex_lock(&lock);
        inside = (int)(long)number;
        pthread_mutex_unlock(&lock); //~ LTL
    }
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, visitor, (void *)1);
    pthread_create(&two, 0, visitor, (void *)2);
    pthread_join(one, 0);
    return 0;
}
