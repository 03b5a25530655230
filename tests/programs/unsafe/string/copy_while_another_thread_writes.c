// what: memcpy of a shared block while it is written
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long shared[2];
static void *writer(void *unused) {
    shared[0] = 1; //~ RACE
    shared[1] = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    long copy[2];
    pthread_create(&thread, NULL, writer, NULL);
    memcpy(copy, shared, sizeof copy); //~ RACE
    assert(copy[0] == copy[1]); //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
