// what: both zeros are equal to zero
// expect: assert=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float value;
static void *tester(void *unused) {
    if (value == 0) {
        assert(value + 1 == 1 && -value == 0);
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
