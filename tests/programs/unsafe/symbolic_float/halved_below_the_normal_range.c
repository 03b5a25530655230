// what: a float near the smallest loses a bit when it is halved
// expect: assert=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float value, kept;
static void *halves(void *unused) {
    value = value * 0.5f;
    return NULL;
}

int main(void) {
    pthread_t thread;
    value = kept = raddle_any_float();
    raddle_assume(kept > 0 && kept < 1e30f);
    pthread_create(&thread, NULL, halves, NULL);
    pthread_join(thread, NULL);
    assert(value + value == kept); //~ ASSERT
    return 0;
}
