// what: the child may run before the id is stored
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static void *child(void *unused) {
    assert(pthread_equal(thread, pthread_self())); //~ RACE //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_create(&thread, NULL, child, NULL); //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
