// what: every integer up to 2^24 survives the way through a float
// expect: assert=ok memsafety=ok
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float measured;
static int ticks;
static void *converter(void *unused) {
    measured = (float)ticks;
    return NULL;
}

int main(void) {
    pthread_t thread;
    ticks = raddle_any_int();
    raddle_assume(ticks >= 0 && ticks <= 1 << 24);
    pthread_create(&thread, NULL, converter, NULL);
    pthread_join(thread, NULL);
    assert((int)measured == ticks);
    return 0;
}
