// what: the write in the section races with the plain one, and an assertion of the same section fails after it
// expect: race=violated assert=violated
// why: a failed assertion ends the run and cuts nothing from the other rows (rule 10)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = 1; //~ RACE
    assert(0); //~ ASSERT
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    x = 2; //~ RACE
    pthread_join(thread, NULL);
    return 0;
}
