// what: a mutex in fresh heap memory was never initialised
// expect: locks=violated
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_lock(mutex); //~ LOCKS
    pthread_mutex_unlock(mutex);
    free(mutex);
    return 0;
}
