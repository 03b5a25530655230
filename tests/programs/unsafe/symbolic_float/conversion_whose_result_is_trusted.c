// what: a float that no int can hold is converted; the result is any number, also one outside what was tested
// expect: assert=violated overflow=violated
// explicit: all=unknown (an input too wide to try: rule 9)
#include <assert.h>
#include <pthread.h>
#include <raddle.h>

static float speed;
static int shown;
static void *display(void *unused) {
    if (speed < 0) return NULL;
    shown = (int)speed; //~ OVERFLOW
    assert(shown >= 0); //~ ASSERT
    return NULL;
}

int main(void) {
    pthread_t thread;
    speed = raddle_any_float();
    pthread_create(&thread, NULL, display, NULL);
    pthread_join(thread, NULL);
    return 0;
}
