// what: an addition in a section overflows before an assumption of the same section fails
// expect: overflow=violated
// why: the assumption ends the run after the addition (rule 8); what came before is judged
#include <limits.h>
#include <pthread.h>
#include <raddle.h>

static int x = INT_MAX;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = x + 1; //~ OVERFLOW
    raddle_assume(0);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
