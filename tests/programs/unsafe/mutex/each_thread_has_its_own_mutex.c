// what: both threads lock, but not the same mutex
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;
static void *child(void *which) {
    pthread_mutex_t *mutex = &mutexes[(long)which];
    pthread_mutex_lock(mutex);
    counter++; //~ RACE
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, (void *)0);
    pthread_create(&b, NULL, child, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
