// what: a once routine that is cancelled counts as not run; the next caller runs it
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t never;
static int runs, done;
static void routine(void) {
    if (runs++ == 0) sem_wait(&never);
    done = 1;
}
static void *child(void *unused) {
    pthread_once(&once, routine);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_once(&once, routine);
    assert(done == 1 && runs == 2);
    return 0;
}
