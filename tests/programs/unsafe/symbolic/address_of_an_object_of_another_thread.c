// what: a thread converts the address of a local variable of another one, whose place on the stack depends on an input
// expect: assert=violated
// why: the variable is the first or the second one of its thread
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void set(int *p) { *p = 1; }

static void earlier(void) {
    int other;
    set(&other);
}

static void publish(void) {
    int own;
    set(&own);
    pthread_mutex_lock(&mutex);
    shared = &own;
    pthread_mutex_unlock(&mutex);
}

static void *publisher(void *unused) {
    if (raddle_any_bool()) earlier();
    publish();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    pthread_mutex_lock(&mutex);
    int *seen = shared;
    pthread_mutex_unlock(&mutex);
    if (seen) assert((unsigned long)seen >> 32 & ~0x200000ul); //~ ASSERT
    return 0;
}
