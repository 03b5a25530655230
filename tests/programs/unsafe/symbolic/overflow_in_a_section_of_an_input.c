// what: an addition to an input of 32 bits overflows in a section whose assumption no value satisfies
// expect: overflow=violated
// explicit: all=unknown (an input too wide to try: rule 9)
// why: the assumption ends the run after the addition (rule 8); what came before is judged
#include <pthread.h>
#include <raddle.h>

static int x;
static void *child(void *unused) {
    raddle_atomic_begin();
    x = x + 1; //~ OVERFLOW
    raddle_assume(x < 0 && x > 0);
    raddle_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    x = raddle_any_int();
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, NULL);
    return 0;
}
