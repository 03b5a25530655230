// what: sem_open tells that another thread has made the semaphore, and orders nothing
// expect: race=violated
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <fcntl.h>

static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    sem_open("/name", O_CREAT, 0600, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    sem_t *found = sem_open("/name", 0);
    if (found != SEM_FAILED) data = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
