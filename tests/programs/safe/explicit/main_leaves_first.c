// what: main leaves by pthread_exit; the other threads go on to their end
// expect: assert=ok
// proved: explicit
// why: the mutex makes 1 and 2 of the two increments, in some order; nothing blocks
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *thread(void *unused) {
    pthread_mutex_lock(&mutex);
    counter++;
    assert(counter <= 2);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_exit(NULL);
}
