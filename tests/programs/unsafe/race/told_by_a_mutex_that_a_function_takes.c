// what: a thread reads the bytes of a mutex that is locked by a function of the program
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *which) {
    pthread_mutex_lock(which);
}

static int data;

static void *reader(void *unused) {
    if (*(volatile int *)&mutex) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    take(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
