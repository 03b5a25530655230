// what: the ring's receiver takes without asking whether anything is there
// expect: assert=violated
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2, COUNT = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ring[SIZE] = {-1, -1}, first, next;
static void *sender(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        pthread_mutex_lock(&mutex);
        ring[next] = i;
        next = (next + 1) % SIZE;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *receiver(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        pthread_mutex_lock(&mutex);
        assert(ring[first] == i); //~ ASSERT
        first = (first + 1) % SIZE;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}
