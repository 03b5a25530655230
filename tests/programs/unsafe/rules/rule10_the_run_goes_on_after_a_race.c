// what: after the race the run goes on to the failed assertion
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static int x;
static void *child(void *unused) {
    x = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x = 2; //~ RACE
    pthread_join(thread, NULL);
    assert(x == 1); //~ ASSERT
    return 0;
}
