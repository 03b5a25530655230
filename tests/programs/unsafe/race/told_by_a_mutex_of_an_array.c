// what: a thread reads the bytes of a mutex that is locked as an element of an array
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>

static pthread_mutex_t mutexes[2];
static int data;

static void *reader(void *unused) {
    if (*(volatile int *)&mutexes[1]) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    for (int i = 0; i < 2; i++) pthread_mutex_lock(&mutexes[i]);
    pthread_join(thread, NULL);
    return 0;
}
