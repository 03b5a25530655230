// what: of two waiters the signal may wake the second one
// expect: assert=violated
// options: --no-spurious-wakeups
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, woken;
static void *child(void *argument) {
    pthread_mutex_lock(&mutex);
    int mine = ++waiting;
    pthread_cond_wait(&cond, &mutex);
    if (++woken == 1) assert(mine == 1); //~ ASSERT
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    for (int all = 0; !all;) {
        pthread_mutex_lock(&mutex);
        all = waiting == 2;
        if (all) pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    return 0;
}
