// what: EOVERFLOW of sem_post tells of the other post, and orders nothing
// expect: race=violated
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <fcntl.h>

static sem_t semaphore;
static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, INT_MAX - 1);
    pthread_create(&thread, NULL, child, NULL);
    int error = sem_post(&semaphore);
    if (error != 0) data = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
