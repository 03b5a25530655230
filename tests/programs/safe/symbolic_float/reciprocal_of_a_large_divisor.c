// what: the reciprocal of a float that is at least one is at most one
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float divisor, quotient;
static void *divider(void *unused) {
    quotient = 1.0f / divisor;
    return NULL;
}

int main(void) {
    pthread_t thread;
    divisor = raddle_any_float();
    raddle_assume(divisor >= 1);
    pthread_create(&thread, NULL, divider, NULL);
    pthread_join(thread, NULL);
    assert(quotient <= 1);
    return 0;
}
