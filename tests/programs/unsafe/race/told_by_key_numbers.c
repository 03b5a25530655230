// what: the number of a new key tells that another thread has made one, and orders nothing
// expect: race=violated
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <fcntl.h>

static pthread_key_t one, other;
static int data;
static void *child(void *unused) {
    data = 1; //~ RACE
    pthread_key_create(&one, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_key_create(&other, NULL);
    if (other != 0) data = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
