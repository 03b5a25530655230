// what: a mutex that is not held is unlocked in a section before an assumption of the same section fails
// expect: locks=violated
// why: the assumption ends the run after the unlock (rule 8); what came before is judged
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *child(void *unused) {
    raddle_atomic_begin();
    pthread_mutex_unlock(&mutex); //~ LOCKS
    raddle_assume(0);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
