// what: trylock fails and the thread goes on as if it had the mutex
// expect: race=violated assert=violated locks=violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *child(void *unused) {
    pthread_mutex_trylock(&mutex);
    counter++; //~ RACE
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
