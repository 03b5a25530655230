// what: two threads update a pair inside atomic sections
// expect: race=ok assert=ok
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static int debit, credit;
static void *mover(void *unused) {
    raddle_atomic_begin();
    debit += 3;
    credit += 3;
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, mover, NULL);
    raddle_atomic_begin();
    assert(debit == credit);
    raddle_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
