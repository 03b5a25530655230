// what: a statistic is reset without its lock, once in a long run
// lint: race 17 30
#include <pthread.h>
#include <stddef.h>

enum { JOBS = 2500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished, started, slowest;

static void *measure(void *unused) {
    for (int job = 0; job < JOBS; job++) {
        int took = job * 7 % 31;
        pthread_mutex_lock(&lock);
        finished++;
        if (job == 1700)
            slowest = took;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *admit(void *unused) {
    for (int job = 0; job < JOBS; job++) {
        pthread_mutex_lock(&lock);
        started++;
        pthread_mutex_unlock(&lock);
        // The lock is forgotten here.
        if (job == 1200)
            slowest = 0;
    }
    return unused;
}

int main(void) {
    pthread_t measuring, admitting;
    pthread_create(&measuring, NULL, measure, NULL);
    pthread_create(&admitting, NULL, admit, NULL);
    pthread_join(measuring, NULL);
    pthread_join(admitting, NULL);
    return 0;
}
