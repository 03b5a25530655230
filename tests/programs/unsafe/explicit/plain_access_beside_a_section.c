// what: one thread counts in an atomic section, the other without
// expect: assert=violated race=violated
// why: the section fits between the read and the write of the other thread
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int counter;
static void *thread(void *unused) {
    raddle_atomic_begin();
    counter++; //~ RACE
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    counter++; //~ RACE
    pthread_join(t, NULL);
    assert(counter == 2); //~ ASSERT
    return 0;
}
