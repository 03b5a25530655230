// what: identifiers up to 2^53 stay different when they are stored as doubles
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static long number;
static double stored;
static void *storer(void *unused) {
    stored = (double)(number + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    number = raddle_any_long();
    raddle_assume(number >= 0 && number < 1l << 53);
    pthread_create(&thread, NULL, storer, NULL);
    pthread_join(thread, NULL);
    assert(stored != (double)number);
    return 0;
}
