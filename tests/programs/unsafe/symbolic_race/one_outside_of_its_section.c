// what: one thread updates half of the pair behind its section
// expect: race=violated assert=violated
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int debit, credit;
static void *mover(void *unused) {
    raddle_atomic_begin();
    debit += 3;
    raddle_atomic_end();
    credit += 3; //~ RACE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, mover, NULL);
    raddle_atomic_begin();
    assert(debit == credit); //~ ASSERT RACE
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
