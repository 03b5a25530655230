// what: a ring of two places, filled and emptied by two threads under a mutex that also guards the flags
// expect: assert=ok
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2, COUNT = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ring[SIZE], first, used;
static void *sender(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (used == SIZE) pthread_cond_wait(&changed, &mutex);
        ring[(first + used) % SIZE] = i;
        used++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *receiver(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (used == 0) pthread_cond_wait(&changed, &mutex);
        assert(ring[first] == i);
        first = (first + 1) % SIZE;
        used--;
        pthread_cond_signal(&changed);
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
