// what: a thread copies a mutex as a structure
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *reader(void *unused) {
    pthread_mutex_t copy = mutex;
    if (*(int *)&copy) data = 2; //~ RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    data = 1; //~ RACE
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
