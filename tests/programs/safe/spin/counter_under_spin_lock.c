// what: two threads count under a spin lock, one of them by trylock
// expect: assert=ok
// explicit: race=bounded (a failed try-operation tells of another thread and orders nothing: rule 6)
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter, missed;
static void *child(void *unused) {
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, child, NULL);
    if (pthread_spin_trylock(&lock) == 0) {
        counter++;
        pthread_spin_unlock(&lock);
    } else {
        missed = 1;
    }
    pthread_join(thread, NULL);
    assert(counter + missed == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
