// what: some integers up to 2^25 are rounded on their way through a float
// expect: assert=violated
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
    raddle_assume(ticks >= 0 && ticks <= 1 << 25);
    pthread_create(&thread, NULL, converter, NULL);
    pthread_join(thread, NULL);
    assert((int)measured == ticks); //~ ASSERT
    return 0;
}
