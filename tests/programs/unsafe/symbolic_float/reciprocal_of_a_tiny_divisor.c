// what: the reciprocal of a positive float may be infinite
// expect: assert=violated
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
    raddle_assume(divisor > 0);
    pthread_create(&thread, NULL, divider, NULL);
    pthread_join(thread, NULL);
    assert(quotient <= 3.4e38f); //~ ASSERT
    return 0;
}
