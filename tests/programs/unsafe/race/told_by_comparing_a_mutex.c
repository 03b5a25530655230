// what: a thread compares the bytes of a mutex with those of another, by memcmp
// expect: race=violated
// why: what the bytes tell comes without an edge of happens-before
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const pthread_mutex_t unused_one = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *reader(void *unused) {
    if (memcmp(&mutex, &unused_one, sizeof mutex)) data = 2; //~ RACE
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
