// what: a thread reads the count of a recursive mutex
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>

static pthread_mutex_t mutex;
static int data;

static void *reader(void *unused) {
    if (((volatile int *)&mutex)[1]) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
