// what: the reciprocal of a float that is equal to zero may be negative
// expect: assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float value;
static void *tester(void *unused) {
    if (value == 0) {
        assert(1 / value > 0); //~ ASSERT
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    value = raddle_any_float();
    pthread_create(&thread, NULL, tester, NULL);
    pthread_join(thread, NULL);
    return 0;
}
