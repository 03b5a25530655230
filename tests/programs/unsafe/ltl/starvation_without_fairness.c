// what: without fairness, the scheduler may let one thread take a lock again and again while the other never runs
// expect: ltl=violated
// engines: explicit
// options: --property "ltl=<> entered" --prop "entered=inside == 2" --no-fairness
// why: thread two need never be scheduled
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
