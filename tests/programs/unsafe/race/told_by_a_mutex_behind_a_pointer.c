// what: a thread reads the bytes of a mutex on the heap through a pointer
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static int data;

static void *reader(void *unused) {
    if (*(volatile int *)mutex) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    pthread_join(thread, NULL);
    return 0;
}
