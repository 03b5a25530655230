// what: sleeping is no synchronisation
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ready;
static void *child(void *unused) {
    ready = 1; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    sleep(1);
    assert(ready == 1); //~ RACE //~ ASSERT
    pthread_join(thread, NULL);
    return 0;
}
