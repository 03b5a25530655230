// what: cleanup handlers of a cancelled thread run from the last to the first; a popped one does not
// expect: assert=ok
// explicit: race=bounded (the operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int order;
static void note(void *digit) { order = order * 10 + (int)(long)digit; }
static void *child(void *unused) {
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)2);
    pthread_cleanup_push(note, (void *)3);
    pthread_cleanup_pop(0);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, child, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && order == 21);
    return 0;
}
