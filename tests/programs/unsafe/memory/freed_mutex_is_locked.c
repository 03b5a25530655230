// what: a thread locks a mutex in memory that was freed without being destroyed
// expect: memsafety=violated
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *child(void *argument) {
    pthread_mutex_lock(mutex); //~ MEMSAFETY
    pthread_mutex_unlock(mutex); //~ MEMSAFETY
    return NULL;
}

int main(void) {
    pthread_t thread;
    mutex = calloc(1, sizeof *mutex);
    pthread_create(&thread, NULL, child, NULL);
    free(mutex);
    pthread_join(thread, NULL);
    return 0;
}
