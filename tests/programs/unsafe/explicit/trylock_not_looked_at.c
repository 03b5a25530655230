// what: the result of a try-lock is ignored
// expect: assert=violated race=violated locks=violated
// why: who fails goes on without the mutex, and then unlocks what the other one holds or nobody does
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *thread(void *unused) {
    pthread_mutex_trylock(&mutex);
    counter++; //~ RACE
    pthread_mutex_unlock(&mutex); //~ LOCKS
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
