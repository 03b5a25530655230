// what: without a second barrier a fast thread overwrites what the slow one still reads
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int shared;
static void *child(void *unused) {
    pthread_barrier_wait(&barrier);
    assert(shared == 1); //~ RACE //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, child, NULL);
    shared = 1;
    pthread_barrier_wait(&barrier);
    shared = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
